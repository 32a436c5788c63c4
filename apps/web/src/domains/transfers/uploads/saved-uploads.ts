import { isSavedAlive, type SavedUpload } from '@dropleaf/uploader'
import { createBrowserTable } from '../../../lib/browser/indexed-db-table.ts'

/** A multipart upload that can be resumed after a reload. */
export interface SavedRecord extends SavedUpload {
  /** Only this user can resume it. */
  readonly owner: string
  /** Name of the local file: the target may have another one. */
  readonly fileName: string
  /** Absent: a file of a mount. */
  readonly kind?: 'share'
  /** Storage of a share. */
  readonly configId?: string
  readonly handle?: FileSystemFileHandle
}

const table = createBrowserTable<SavedRecord>({
  database: 'dropleaf-uploads',
  table: 'uploads',
  keyPath: 'id',
})

// Without storage only resuming is lost, not the upload.
export const saveUpload = (record: SavedRecord): Promise<void> => table.put(record).catch(() => undefined)

export const forgetSaved = (id: string): Promise<void> => table.remove(id).catch(() => undefined)

/** Interrupted uploads of an owner, oldest first; deletes expired ones. */
export async function listSaved(owner: string, nowMs = Date.now()): Promise<SavedRecord[]> {
  const all = await table.getAll().catch(() => [])
  for (const { id } of all.filter((record) => !isSavedAlive(record, nowMs))) await forgetSaved(id)
  return all
    .filter((record) => record.owner === owner && isSavedAlive(record, nowMs))
    .sort((a, b) => a.savedAtMs - b.savedAtMs)
}

/** Tabs lock their uploads, so that no other tab offers to resume them. */
const lockName = (id: string) => `dropleaf-upload-${id}`

/** @returns a function that releases the lock. */
export function holdUpload(id: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  // Locks need a secure context.
  if ('locks' in navigator) navigator.locks.request(lockName(id), () => promise).catch(() => undefined)
  return resolve
}

export async function heldUploads(): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set()
  const { held = [] } = await navigator.locks.query()
  return new Set(held.map(({ name = '' }) => name.replace(lockName(''), '')))
}
