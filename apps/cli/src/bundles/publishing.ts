import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { bundleErrors, bundleRoutes, type ManifestInput, type Opening } from '@dropleaf/contract'
import { createLanes, FILES_AT_ONCE, isSavedAlive, PARTS_AT_ONCE } from '@dropleaf/uploader'
import { call, type Connection } from '../client.ts'
import { CliError, EXIT, hasCode, isUnreachable } from '../errors.ts'
import { requireUnchanged } from '../local-file.ts'
import type { ShowProgress } from '../part-uploads.ts'
import type { StateStore } from '../state.ts'
import type { DoneList } from './done-list.ts'
import type { TreeItem } from './local-tree.ts'
import { sendObject } from './object-uploads.ts'
import { eachAtOnce } from './pool.ts'

const TRIES = 3
const RETRY_DELAY_MS = 1000

/** Options of the share, as sent to the server. */
export interface BundleSettings {
  readonly slug: string | null
  readonly remark: string | null
  readonly password: string | null
  readonly expires_in: number | null
  readonly max_views: number | null
  readonly opening: Opening | null
  readonly pin: string | null
}

export interface BundleToShare {
  readonly settings: BundleSettings
  readonly title: string | null
  readonly page: NonNullable<ManifestInput['page']> | null
  readonly items: readonly TreeItem[]
  /** Folder of the storage for the objects; `null` for the default folder. */
  readonly folder: string | null
  readonly isWhole: boolean
}

/** Stored state of a bundle that is not published yet. */
export interface SavedDraft {
  readonly id: string
  /** Digest of the contents and settings. A different digest means a different bundle. */
  readonly wishes: string
  readonly savedAtMs: number
}

interface Publishing {
  readonly bundle: BundleToShare
  readonly state: StateStore<SavedDraft>
  /** Numbers of the objects that have arrived. */
  readonly done: DoneList<number>
  readonly onProgress: ShowProgress
  readonly onResume: (doneBytes: number) => void
  /** Adds the name of the file to the error of a failed upload. */
  readonly aboutItem: (item: TreeItem, error: unknown) => unknown
}

const digestOf = ({ items, isWhole: _isWhole, ...bundle }: BundleToShare): string => {
  const files = items.map(({ path, file }) => [path, file.path, file.sizeBytes, file.modifiedAtMs])
  return createHash('sha256')
    .update(JSON.stringify([bundle, files]))
    .digest('hex')
}

export const manifestOf = ({ title, page, items }: BundleToShare): ManifestInput => ({
  title,
  page,
  items: items.map(({ path }, object) => ({ path, source: { object } })),
})

/** Calls an idempotent route, and repeats the call after a connection error. @throws {CliError} */
export async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isUnreachable(error) || tries === TRIES) throw error
      await sleep(RETRY_DELAY_MS * tries)
    }
  }
}

/** Deletes a draft with its objects. If the request fails, the server deletes the draft after a day. */
async function discard(connection: Connection, { state, done }: Publishing, id: string): Promise<void> {
  await call(connection, bundleRoutes.remove, { body: { ids: [id] } }).catch(() => undefined)
  await done.forget()
  await state.forget()
}

interface Found {
  readonly saved: SavedDraft
  readonly slug: string
  readonly isPublished: boolean
}

/** Finds the draft of an earlier attempt at the same bundle. Discards a draft with other contents or settings. */
async function findSaved(connection: Connection, input: Publishing): Promise<Found | null> {
  const saved = await input.state.find()
  if (saved === null) {
    await input.done.forget()
    return null
  }
  if (saved.wishes === digestOf(input.bundle) && isSavedAlive(saved, Date.now())) {
    try {
      const { data } = await call(connection, bundleRoutes.detail, { params: { id: saved.id } })
      return { saved, slug: data.slug, isPublished: data.revision > 0 }
    } catch (error) {
      if (!hasCode(error, bundleErrors.not_found.code)) throw error
    }
  }
  await discard(connection, input, saved.id)
  return null
}

async function begin(connection: Connection, { bundle, state }: Publishing): Promise<Found> {
  const saved = { id: randomUUID(), wishes: digestOf(bundle), savedAtMs: Date.now() }
  // Saves the state before the request. Otherwise a killed attempt could leave a draft that no later attempt knows
  // and that occupies the link suffix.
  await state.keep(saved)
  const body = { id: saved.id, ...bundle.settings }
  const { data } = await repeated(() => call(connection, bundleRoutes.create, { body }))
  return { saved, slug: data.slug, isPublished: false }
}

async function sendItems(
  connection: Connection,
  { bundle, done, onProgress, onResume, aboutItem }: Publishing,
  { id, isResumed }: { id: string; isResumed: boolean },
): Promise<void> {
  const { items, folder, isWhole } = bundle
  const arrived = new Set(await done.read())
  const sentBytes = items.map(({ file }, n) => (arrived.has(n) ? file.sizeBytes : 0))
  let doneBytes = sentBytes.reduce((sum, bytes) => sum + bytes, 0)
  const totalBytes = items.reduce((sum, { file }) => sum + file.sizeBytes, 0)
  if (isResumed) onResume(doneBytes)
  const lanes = createLanes(PARTS_AT_ONCE)
  const missing = [...items.entries()].filter(([n]) => !arrived.has(n))
  await eachAtOnce(missing, FILES_AT_ONCE, async ([n, item], signal) => {
    const show = (bytes: number) => {
      const now = Math.min(bytes, item.file.sizeBytes)
      doneBytes += now - (sentBytes[n] ?? 0)
      sentBytes[n] = now
      onProgress({ doneBytes, totalBytes })
    }
    try {
      await sendObject(connection, {
        id,
        n,
        item,
        folder,
        isWhole,
        isResumed,
        lanes,
        signal,
        onProgress: show,
      })
    } catch (error) {
      throw signal.aborted ? error : aboutItem(item, error)
    }
    await done.add(n)
  })
}

/**
 * Creates a bundle, uploads its files and publishes it, or resumes an earlier attempt. A failed attempt publishes
 * nothing, and its draft is deleted. After a network or server error, the draft is retained, so that the same command
 * can resume.
 * @returns the link suffix
 * @throws {CliError}
 */
export async function publishBundle(connection: Connection, input: Publishing): Promise<{ slug: string }> {
  const { bundle, state, done } = input
  const found = await findSaved(connection, input)
  let id = found?.saved.id
  try {
    const { saved, slug, isPublished } = found ?? (await begin(connection, input))
    id = saved.id
    if (!isPublished) {
      await sendItems(connection, input, { id, isResumed: found !== null })
      // A file may have changed after its upload.
      for (const { file } of bundle.items) if (!file.isUnsized) await requireUnchanged(file)
      const body = { manifest: manifestOf(bundle), expected_revision: 0 }
      const params = { id }
      await repeated(() => call(connection, bundleRoutes.publish, { params, body, isLongWork: true }))
    }
    // Ignores errors, because the bundle is published. If the state remains, the same command returns the link again.
    await done.forget().catch(() => undefined)
    await state.forget().catch(() => undefined)
    return { slug }
  } catch (error) {
    const mayGoOn = error instanceof CliError && error.exitCode === EXIT.network
    if (!mayGoOn)
      await discard(connection, input, id ?? (await state.find())?.id ?? '').catch(() => undefined)
    throw error
  }
}
