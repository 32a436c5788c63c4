import { isSavedAlive, type SavedUpload } from '@dropleaf/uploader'
import { createBrowserTable } from '../../../lib/browser/indexed-db-table.ts'

/** A multipart upload that can be resumed after a reload. */
export interface SavedRecord extends SavedUpload {
  /** The user who can resume the upload. */
  readonly owner: string
  /** Name of the local file, which can differ from the name of the target. */
  readonly fileName: string
  /** Absent for a file of a mount. */
  readonly kind?: 'share'
  /** Id of the storage of a share. */
  readonly configId?: string
  readonly handle?: FileSystemFileHandle
}

const table = createBrowserTable<SavedRecord>({
  database: 'dropleaf-uploads',
  table: 'uploads',
  keyPath: 'id',
})

// Ignores errors, because only resuming after a reload needs the record.
export const saveUpload = (record: SavedRecord): Promise<void> => table.put(record).catch(() => undefined)

export const forgetSaved = (id: string): Promise<void> => table.remove(id).catch(() => undefined)

/**
 * Lists the stored uploads of an owner, oldest first, including those that run in a tab. Deletes expired ones of all
 * owners.
 */
export async function listSaved(owner: string, nowMs = Date.now()): Promise<SavedRecord[]> {
  const all = await table.getAll().catch(() => [])
  for (const { id } of all.filter((record) => !isSavedAlive(record, nowMs))) await forgetSaved(id)
  return all
    .filter((record) => record.owner === owner && isSavedAlive(record, nowMs))
    .sort((a, b) => a.savedAtMs - b.savedAtMs)
}

/**
 * Returns the name of the lock of an upload. Each tab locks its uploads, so that other tabs do not offer to resume
 * them.
 */
const lockName = (id: string) => `dropleaf-upload-${id}`

/** Locks an upload for this tab. @returns a function that releases the lock */
export function holdUpload(id: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  // The Web Locks API is only available in secure contexts.
  if ('locks' in navigator) navigator.locks.request(lockName(id), () => promise).catch(() => undefined)
  return resolve
}

export async function heldUploads(): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set()
  const { held = [] } = await navigator.locks.query()
  return new Set(held.map(({ name = '' }) => name.replace(lockName(''), '')))
}
