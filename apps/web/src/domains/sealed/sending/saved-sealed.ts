import { BUNDLE_DRAFT_SECONDS } from '@dropleaf/contract'
import type { EncryptingState, PartAttempt, ShareSalts } from '@dropleaf/seal'
import { createBrowserTable } from '../../../lib/browser/indexed-db-table.ts'
import type { BundlePlace } from '../../bundles/bundle-transports.ts'
import type { BundleContent, BundleOrigin } from '../../bundles/saved-bundles.ts'
import type { FileFacts } from '../../transfers/uploads/upload-store.ts'
import { type Box, lockBox, unlockBox } from '../keys/browser-key.ts'

/**
 * Unfinished encrypted bundles. Their contents and the keys of their objects are stored encrypted. File handles,
 * which contain file names, are stored unencrypted, because the browser cannot encrypt a handle. The files themselves
 * are on this device anyway.
 */

export interface SavedPiece {
  readonly id: number
  /** `null` for the text of the bundle. */
  readonly path: string | null
  readonly type: string
  readonly file: FileFacts
  /** `null` while the piece waits for a new object. */
  readonly object: number | null
  readonly offset: number
}

export interface SavedObject {
  readonly n: number
  readonly state: EncryptingState
  readonly isStored: boolean
  readonly sentBytes: number
  readonly fingerprint: string | null
}

export interface SavedContents {
  readonly linkKey: string
  readonly salts: ShareSalts
  readonly slug: string
  readonly at: BundleOrigin
  readonly place: BundlePlace
  readonly content: BundleContent
  readonly pieces: readonly SavedPiece[]
  readonly objects: readonly SavedObject[]
}

export interface SavedSealed extends SavedContents {
  readonly id: string
  /** Key of the manifest. It is stored, because it is derived from the password, which is not stored. */
  readonly manifestKey: CryptoKey
  /** File handles by the id of their piece. */
  readonly handles: ReadonlyMap<number, FileSystemFileHandle>
}

interface DraftRecord extends Pick<SavedSealed, 'id' | 'manifestKey' | 'handles'> {
  readonly owner: string
  readonly savedAtMs: number
  readonly box: Box
}

interface AttemptRecord {
  /** Begins with the id of the bundle. */
  readonly id: string
  readonly box: Box
}

interface ObjectAttempt extends PartAttempt {
  readonly n: number
}

const drafts = createBrowserTable<DraftRecord>({
  database: 'dropleaf-sealed-drafts',
  table: 'drafts',
  keyPath: 'id',
})
const attempts = createBrowserTable<AttemptRecord>({
  database: 'dropleaf-sealed-attempts',
  table: 'attempts',
  keyPath: 'id',
})

/** @throws if the browser blocks its storage, or the storage is full */
export async function saveSealed(owner: string, saved: SavedSealed): Promise<void> {
  const { id, manifestKey, handles, ...contents } = saved
  const box = await lockBox(contents, { owner, name: id })
  await drafts.put({ id, owner, manifestKey, handles, savedAtMs: Date.now(), box })
}

/** @throws if the browser blocks its storage, or the storage is full */
export async function saveAttempt(owner: string, bundleId: string, attempt: ObjectAttempt): Promise<void> {
  const id = `${bundleId}/${attempt.n}/${attempt.part}/${attempt.salt}`
  await attempts.put({ id, box: await lockBox(attempt, { owner, name: id }) })
}

export async function forgetSealed(id: string): Promise<void> {
  await drafts.remove(id).catch(() => undefined)
  await attempts.removeFrom(`${id}/`).catch(() => undefined)
}

/**
 * Whether a box contained the value that {@link saveSealed} stores. The states of objects are checked later, when
 * they are used.
 */
const isContents = (value: unknown): value is SavedContents =>
  typeof value === 'object' && value !== null && 'linkKey' in value && 'objects' in value && 'pieces' in value

const isAttempt = (value: unknown): value is ObjectAttempt =>
  typeof value === 'object' && value !== null && 'n' in value && 'part' in value && 'salt' in value

/** Adds the attempts that were made after the state was saved. */
function withLater({ state, ...object }: SavedObject, later: readonly ObjectAttempt[]): SavedObject {
  const parts = state.parts.map((known, part) => {
    const made = later.filter((one) => one.n === object.n && one.part === part)
    const [first] = made
    if (!first) return known
    const salts = new Set([...(known?.salts ?? []), ...made.map(({ salt }) => salt)])
    return { digest: known?.digest ?? first.digest, salts: [...salts] }
  })
  return { ...object, state: { ...state, parts } }
}

async function read(owner: string, record: DraftRecord, made: readonly AttemptRecord[]) {
  const { id, manifestKey, handles, box } = record
  const contents = await unlockBox(box, { owner, name: id })
  if (!isContents(contents)) return null
  const mine = made.filter((attempt) => attempt.id.startsWith(`${id}/`))
  const opened = await Promise.all(mine.map((attempt) => unlockBox(attempt.box, { owner, name: attempt.id })))
  const later = opened.filter(isAttempt)
  const objects = contents.objects.map((object) => withLater(object, later))
  return { ...contents, objects, id, manifestKey, handles }
}

/** Lists the unfinished bundles of an owner, oldest first, and deletes expired ones of all owners. */
export async function listSavedSealed(owner: string, nowMs = Date.now()): Promise<SavedSealed[]> {
  const all = await drafts.getAll().catch(() => [])
  const isAlive = ({ savedAtMs }: DraftRecord) => nowMs - savedAtMs < BUNDLE_DRAFT_SECONDS * 1000
  for (const { id } of all.filter((record) => !isAlive(record))) await forgetSealed(id)
  const mine = all
    .filter((record) => record.owner === owner && isAlive(record))
    .sort((a, b) => a.savedAtMs - b.savedAtMs)
  if (mine.length === 0) return []
  const made = await attempts.getAll().catch(() => [])
  const found = await Promise.all(mine.map((record) => read(owner, record, made)))
  return found.filter((saved) => saved !== null)
}

/** Removes the unfinished bundles of an owner. */
export async function forgetAllSealed(owner: string): Promise<void> {
  const all = await drafts.getAll().catch(() => [])
  for (const { id } of all.filter((record) => record.owner === owner)) await forgetSealed(id)
}
