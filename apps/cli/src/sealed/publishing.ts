import { createHash, randomUUID } from 'node:crypto'
import { bundleErrors, bundleRoutes, SEAL_VERSION } from '@dropleaf/contract'
import {
  createEncryptingSource,
  createShare,
  derivePassword,
  type EncryptingSource,
  type EncryptingState,
  joinReaders,
  type ManifestObject,
  type ObjectPlan,
  parseLinkKey,
  type PartAttempt,
  resumeEncryptingSource,
  type Sealed,
  sealedText,
  sealManifest,
  type ShareFacts,
  type ShareKeys,
  type ShareSalts,
  unlockShare,
  withAttempt,
} from '@dropleaf/seal'
import { createLanes, FILES_AT_ONCE, isSavedAlive, PARTS_AT_ONCE } from '@dropleaf/uploader'
import type { DoneList } from '../bundles/done-list.ts'
import { eachAtOnce } from '../bundles/pool.ts'
import { type BundleSettings, repeated } from '../bundles/publishing.ts'
import { call, type Connection } from '../client.ts'
import { CliError, EXIT, hasCode } from '../errors.ts'
import { requireUnchanged } from '../local-file.ts'
import type { ShowProgress } from '../part-uploads.ts'
import type { StateStore } from '../state.ts'
import {
  describeContents,
  type Piece,
  planObjects,
  requireSealable,
  type SealedContents,
} from './contents.ts'
import { sendSealedObject } from './object-uploads.ts'
import { inSealWords, withSealWords } from './words.ts'

/** Number of the only revision that the command line publishes. */
const REVISION = 1

/**
 * Stored state of a bundle that is not published yet. The state contains the keys, so only its owner can read its
 * file.
 */
export interface SavedSealed {
  readonly id: string
  /** Digest of the contents and settings, without the password. */
  readonly wishes: string
  readonly linkKey: string
  readonly salts: ShareSalts
  readonly verifier: string
  /** States of the objects before their first part. The stored steps add the later attempts. */
  readonly objects: readonly EncryptingState[]
  readonly savedAtMs: number
}

/**
 * A step of the upload of an object. A step is an attempt to send a part, stored before the bytes are sent, or the
 * completion of the object.
 */
export type SealedStep = { readonly n: number } & (
  | { readonly attempt: PartAttempt }
  | { readonly isDone: true }
)

export interface SealedPublishing {
  readonly contents: SealedContents
  /** The password is never sent, and is not part of the stored state. */
  readonly settings: BundleSettings
  /** Folder of the storage for the objects; `null` for the default folder. */
  readonly folder: string | null
  readonly isRelayed: boolean
  readonly state: StateStore<SavedSealed>
  readonly steps: DoneList<SealedStep>
  readonly onProgress: ShowProgress
  readonly onResume: (doneBytes: number, totalBytes: number) => void
}

interface Draft {
  readonly saved: SavedSealed
  readonly keys: ShareKeys
  readonly slug: string
  readonly isPublished: boolean
  readonly isResumed: boolean
}

function digestOf({ contents, settings, folder }: SealedPublishing): string {
  const { password: _password, ...others } = settings
  const { title, page, items } = contents
  const files = items.map(({ path, file }) => [path, file.path, file.sizeBytes, file.modifiedAtMs])
  return createHash('sha256')
    .update(JSON.stringify([others, title, page, files, folder]))
    .digest('hex')
}

/** Deletes a draft with its objects. If the request fails, the server deletes the draft after a day. */
async function discard(connection: Connection, { state, steps }: SealedPublishing, id: string) {
  await call(connection, bundleRoutes.remove, { body: { ids: [id] } }).catch(() => undefined)
  await steps.forget()
  await state.forget()
}

/** Derives the keys of an earlier attempt. Returns `null` if the earlier attempt had another password. */
async function unlockSaved(
  { linkKey, salts, verifier }: SavedSealed,
  password: string | null,
): Promise<ShareKeys | null> {
  if ((salts.kdf === null) !== (password === null)) return null
  const keys = await unlockShare({ secret: parseLinkKey(linkKey), salts, password, derivePassword })
  return sealedText(keys.verifier) === verifier ? keys : null
}

/** Finds the draft of an earlier attempt at the same bundle. Discards a draft with other contents or settings. */
async function findDraft(connection: Connection, input: SealedPublishing): Promise<Draft | null> {
  const saved = await input.state.find()
  if (saved === null) {
    await input.steps.forget()
    return null
  }
  const isSame = saved.wishes === digestOf(input) && isSavedAlive(saved, Date.now())
  const keys = isSame ? await unlockSaved(saved, input.settings.password) : null
  if (keys) {
    try {
      const { data } = await call(connection, bundleRoutes.detail, { params: { id: saved.id } })
      return { saved, keys, slug: data.slug, isPublished: data.revision > 0, isResumed: true }
    } catch (error) {
      if (!hasCode(error, bundleErrors.not_found.code)) throw error
    }
  }
  await discard(connection, input, saved.id)
  return null
}

const newSource = (plan: ObjectPlan<Piece>): EncryptingSource =>
  createEncryptingSource({ plain: joinReaders(plan.files.map(({ file }) => file.reader)) })

interface Facts {
  readonly id: string
  readonly settings: BundleSettings
  readonly facts: Sealed<ShareFacts>
}

/** Creates the draft. The server gets the parameters of the key derivation, but not the password. */
async function createDraft(connection: Connection, { id, settings, facts }: Facts): Promise<string> {
  const { salt, kdf, verifier } = facts
  const body = { ...settings, password: null, id, sealed: SEAL_VERSION, salt, kdf, verifier } as const
  const { data } = await repeated(() => call(connection, bundleRoutes.create, { body }))
  return data.slug
}

async function begin(
  connection: Connection,
  input: SealedPublishing,
  plans: readonly ObjectPlan<Piece>[],
): Promise<Draft> {
  const { settings, state } = input
  const { linkKey, keys, facts } = await createShare({ password: settings.password, derivePassword })
  const { salt, kdf, verifier } = facts
  const id = randomUUID()
  const saved: SavedSealed = {
    id,
    wishes: digestOf(input),
    linkKey,
    salts: { salt, kdf },
    verifier,
    objects: plans.map((plan) => newSource(plan).state()),
    savedAtMs: Date.now(),
  }
  // Saves the state before the request. Otherwise a killed attempt could leave a draft that no later attempt knows
  // and that occupies the link suffix.
  await state.keep(saved)
  const slug = await createDraft(connection, { id, settings, facts })
  return { saved, keys, slug, isPublished: false, isResumed: false }
}

/** Returns the states of the objects with all stored attempts, and the numbers of the objects that are complete. */
async function readSteps({ steps }: SealedPublishing, { objects }: SavedSealed) {
  const states = [...objects]
  const arrived = new Set<number>()
  for (const step of await steps.read()) {
    const state = states[step.n]
    if ('isDone' in step) arrived.add(step.n)
    else if (state) states[step.n] = withAttempt(state, step.attempt)
  }
  return { states, arrived }
}

/** Encrypts and sends the objects that are missing. @returns the objects for the manifest */
async function sendObjects(
  connection: Connection,
  input: SealedPublishing,
  { plans, draft }: { readonly plans: readonly ObjectPlan<Piece>[]; readonly draft: Draft },
): Promise<ManifestObject[]> {
  const { steps, folder, isRelayed, onProgress, onResume } = input
  const { saved, isResumed } = draft
  const { id } = saved
  const { states, arrived } = await readSteps(input, saved)
  const sources = plans.map(({ files }, n) =>
    resumeEncryptingSource({
      plain: joinReaders(files.map(({ file }) => file.reader)),
      state: states[n],
      onAttempt: (attempt) => steps.add({ n, attempt }),
    }),
  )
  const totalBytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const sentBytes = sources.map(({ sizeBytes }, n) => (arrived.has(n) ? sizeBytes : 0))
  let doneBytes = sentBytes.reduce((sum, bytes) => sum + bytes, 0)
  if (isResumed && plans.length > 0) onResume(doneBytes, totalBytes)
  const lanes = createLanes(PARTS_AT_ONCE)
  const missing = [...sources.entries()].filter(([n]) => !arrived.has(n))
  await eachAtOnce(missing, FILES_AT_ONCE, async ([n, source], signal) => {
    const files = (plans[n]?.files ?? []).flatMap(({ file }) => file.item?.file ?? [])
    const show = (bytes: number) => {
      const now = Math.min(bytes, source.sizeBytes)
      doneBytes += now - (sentBytes[n] ?? 0)
      sentBytes[n] = now
      onProgress({ doneBytes, totalBytes })
    }
    const sent = { id, n, source, folder, isRelayed, isResumed, lanes, signal, onProgress: show }
    const requireAll = async () => {
      for (const file of files) await requireUnchanged(file)
    }
    const sending = sendSealedObject(connection, { ...sent, requireUnchanged: requireAll })
    await withSealWords(files[0]?.shown ?? '', sending)
    await steps.add({ n, isDone: true })
  })
  return sources.map((source, n) => source.describe(n))
}

async function publish(
  connection: Connection,
  { contents }: SealedPublishing,
  {
    plans,
    draft,
    objects,
  }: {
    readonly plans: readonly ObjectPlan<Piece>[]
    readonly draft: Draft
    readonly objects: ManifestObject[]
  },
): Promise<void> {
  const { id, salts } = draft.saved
  const sealed = await sealManifest({
    manifest: describeContents(contents, plans, objects),
    manifestKey: draft.keys.manifestKey,
    place: { bundleId: id, revision: REVISION, salts },
  })
  const body = {
    manifest: Buffer.from(sealed).toString('base64'),
    objects: objects.map(({ n }) => n),
    expected_revision: 0,
  }
  try {
    await repeated(() => call(connection, bundleRoutes.publish, { params: { id }, body, isLongWork: true }))
  } catch (error) {
    // Only this command publishes the draft. The response to an earlier request was therefore lost.
    if (!hasCode(error, bundleErrors.changed.code)) throw error
  }
}

/**
 * Encrypts contents, uploads them and publishes them as a bundle, or resumes an earlier attempt. A failed attempt
 * publishes nothing, and its draft is deleted. After a network or server error, the draft is retained, so that the same
 * command can resume.
 * @returns the link suffix, and the key for the link
 * @throws {CliError}
 */
export async function publishSealed(
  connection: Connection,
  input: SealedPublishing,
): Promise<{ slug: string; linkKey: string }> {
  const { contents, state, steps } = input
  requireSealable(contents)
  const plans = planObjects(contents)
  const found = await findDraft(connection, input)
  try {
    const draft = found ?? (await begin(connection, input, plans))
    if (!draft.isPublished) {
      const objects = await sendObjects(connection, input, { plans, draft })
      // A file may have changed after its upload.
      for (const { file } of contents.items) await requireUnchanged(file)
      await publish(connection, input, { plans, draft, objects })
    }
    // Ignores errors, because the bundle is published. If the state remains, the same command returns the link again.
    await steps.forget().catch(() => undefined)
    await state.forget().catch(() => undefined)
    return { slug: draft.slug, linkKey: draft.saved.linkKey }
  } catch (cause) {
    const error = inSealWords(cause, contents.items[0]?.file.shown ?? '')
    const mayGoOn = error instanceof CliError && error.exitCode === EXIT.network
    const id = found?.saved.id ?? (await state.find())?.id
    if (!mayGoOn && id !== undefined) await discard(connection, input, id).catch(() => undefined)
    throw error
  }
}
