/** A key-value store in IndexedDB. Every call fails if the browser blocks storage, or if its storage is full. */
export interface BrowserTable<T> {
  readonly get: (key: string) => Promise<T | undefined>
  readonly getAll: () => Promise<T[]>
  readonly put: (value: T) => Promise<void>
  readonly remove: (key: string) => Promise<void>
  /** Removes all values whose keys start with this text. */
  readonly removeFrom: (start: string) => Promise<void>
}

interface TableOptions {
  database: string
  table: string
  /** Name of the field that contains the key of a value. */
  keyPath: string
}

const failed = (error: DOMException | null) => error ?? new Error('The browser storage failed.')

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(failed(request.error)))
  })

/** A write is complete when its transaction is complete. Until then it can still fail because the storage is full. */
const completed = (transaction: IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(failed(transaction.error)))
    transaction.addEventListener('error', () => reject(failed(transaction.error)))
  })

/** Opens the database on first use. Runs calls in order. */
export function createBrowserTable<T>({ database, table, keyPath }: TableOptions): BrowserTable<T> {
  let opening: Promise<IDBDatabase> | null = null
  const open = async (): Promise<IDBDatabase> => {
    if (!opening) {
      const request = indexedDB.open(database, 1)
      request.addEventListener('upgradeneeded', () => request.result.createObjectStore(table, { keyPath }))
      opening = settled(request)
      opening.catch(() => {
        opening = null
      })
    }
    return opening
  }
  const read = async <R>(work: (store: IDBObjectStore) => IDBRequest<R>): Promise<R> =>
    settled(work((await open()).transaction(table, 'readonly').objectStore(table)))
  const write = async (work: (store: IDBObjectStore) => unknown): Promise<void> => {
    const transaction = (await open()).transaction(table, 'readwrite')
    const end = completed(transaction)
    work(transaction.objectStore(table))
    // Without an explicit commit, the transaction waits for a request event, and a write during unload would be lost.
    transaction.commit()
    await end
  }
  return {
    get: (key) => read((store) => store.get(key) as IDBRequest<T | undefined>),
    getAll: () => read((store) => store.getAll() as IDBRequest<T[]>),
    put: (value) => write((store) => store.put(value)),
    remove: (key) => write((store) => store.delete(key)),
    removeFrom: (start) => write((store) => store.delete(IDBKeyRange.bound(start, `${start}\uFFFF`))),
  }
}
