import { isSavedAlive, type SavedUpload } from '@dropleaf/uploader'

/** An upload in parts that can go on after a reload. */
export interface SavedRecord extends SavedUpload {
  /** Whose upload it is: nobody else can go on with it. */
  readonly owner: string
  /** What the file is called where it comes from: it may have got another name. */
  readonly fileName: string
  readonly handle?: FileSystemFileHandle
}

const DATABASE = 'dropleaf-uploads'
const TABLE = 'uploads'

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser storage failed.')))
  })

let opening: Promise<IDBDatabase> | null = null

function open(): Promise<IDBDatabase> {
  if (opening) return opening
  const request = indexedDB.open(DATABASE, 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(TABLE, { keyPath: 'id' }))
  opening = settled(request)
  opening.catch(() => {
    opening = null
  })
  return opening
}

/** A browser that keeps nothing costs the way back after a reload, and no upload. */
async function quietly<T>(
  fallback: T,
  work: (table: IDBObjectStore) => Promise<T>,
  mode: IDBTransactionMode,
) {
  try {
    const database = await open()
    return await work(database.transaction(TABLE, mode).objectStore(TABLE))
  } catch {
    return fallback
  }
}

export const saveUpload = (record: SavedRecord): Promise<void> =>
  quietly(undefined, async (table) => void (await settled(table.put(record))), 'readwrite')

export const forgetSaved = (id: string): Promise<void> =>
  quietly(undefined, (table) => settled(table.delete(id)), 'readwrite')

/** Uploads of an owner that broke off, oldest first; those that are too old are forgotten. */
export async function listSaved(owner: string, nowMs = Date.now()): Promise<SavedRecord[]> {
  const all = await quietly([], (table) => settled(table.getAll() as IDBRequest<SavedRecord[]>), 'readonly')
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
