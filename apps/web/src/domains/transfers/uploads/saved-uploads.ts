import { isSavedAlive, type SavedUpload } from '@dropleaf/uploader'
import { createBrowserTable } from '../../../lib/browser/indexed-db-table.ts'

/** An upload in parts that can go on after a reload. */
export interface SavedRecord extends SavedUpload {
  /** Whose upload it is: nobody else can go on with it. */
  readonly owner: string
  /** What the file is called where it comes from: it may have got another name. */
  readonly fileName: string
  readonly handle?: FileSystemFileHandle
}

const table = createBrowserTable<SavedRecord>({
  database: 'dropleaf-uploads',
  table: 'uploads',
  keyPath: 'id',
})

// A browser that keeps nothing costs the way back after a reload, and no upload.
export const saveUpload = (record: SavedRecord): Promise<void> => table.put(record).catch(() => undefined)

export const forgetSaved = (id: string): Promise<void> => table.remove(id).catch(() => undefined)

/** Interrupted uploads of an owner, oldest first; expired ones are deleted. */
export async function listSaved(owner: string, nowMs = Date.now()): Promise<SavedRecord[]> {
  const all = await table.getAll().catch(() => [])
  for (const { id } of all.filter((record) => !isSavedAlive(record, nowMs))) await forgetSaved(id)
  return all
    .filter((record) => record.owner === owner && isSavedAlive(record, nowMs))
    .sort((a, b) => a.savedAtMs - b.savedAtMs)
}

/** Tabs hold a lock for each upload that they have in hand, so that another tab does not offer it too. */
const lockName = (id: string) => `dropleaf-upload-${id}`

/** @returns what gives the lock back. */
export function holdUpload(id: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  // Only pages over https, or of this machine, have locks.
  if ('locks' in navigator) navigator.locks.request(lockName(id), () => promise).catch(() => undefined)
  return resolve
}

export async function heldUploads(): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set()
  const { held = [] } = await navigator.locks.query()
  return new Set(held.map(({ name = '' }) => name.replace(lockName(''), '')))
}
