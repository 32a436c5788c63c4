import type { NewEntry, QueueEntry, QueueStore } from '@dropleaf/sync-queue'
import type { OfflineDatabase, QueueRow } from '../database.ts'
import { markQueue } from './queue-mark.ts'
import { encryptText, decryptText } from './encryption.ts'

/** Fields of a body that are stored encrypted. */
const SECRET_FIELDS = ['password', 'pin'] as const

type Fields = Readonly<Record<string, unknown>>

function separate(data: unknown): { open: unknown; secret: Fields | null } {
  if (typeof data !== 'object' || data === null) return { open: data, secret: null }
  const fields = data as Fields
  const names: string[] = SECRET_FIELDS.filter((name) => typeof fields[name] === 'string')
  if (names.length === 0) return { open: data, secret: null }
  const pick = (isSecret: boolean) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name) === isSecret))
  return { open: pick(false), secret: pick(true) }
}

interface Kept {
  /** URL of the server, without a trailing slash. */
  readonly server: string
  /** Value of the `Authorization` header. */
  readonly authorization: string | null
}

function toEntry(row: QueueRow): QueueEntry {
  const { secrets, credential, ...entry } = row
  void [secrets, credential]
  return entry
}

/**
 * Adds a change to the queue. Encrypts its secrets and the credential.
 * @throws if the browser's storage is full or not available
 */
export async function addToQueue(
  database: OfflineDatabase,
  entry: NewEntry,
  { server, authorization }: Kept,
): Promise<QueueEntry> {
  const { open, secret } = separate(entry.data)
  const row = {
    ...entry,
    data: open,
    secrets: secret && (await encryptText(database, JSON.stringify(secret))),
    credential: authorization === null ? null : await encryptText(database, authorization),
    server,
  }
  const id = await database.offlineQueue.add(row)
  return { ...entry, data: open, id }
}

/**
 * Returns the decrypted request of an entry; `null` if the entry no longer exists. `isWhole` is false if the secrets of
 * the entry could not be decrypted.
 */
export async function openEntry(
  database: OfflineDatabase,
  id: number,
): Promise<{ server: string; body: unknown; authorization: string | null; isWhole: boolean } | null> {
  const row = await database.offlineQueue.get(id)
  if (!row) return null
  const secret = row.secrets && (await decryptText(database, row.secrets))
  const body = secret === null ? row.data : { ...(row.data as Fields), ...(JSON.parse(secret) as Fields) }
  const authorization = row.credential && (await decryptText(database, row.credential))
  return { server: row.server, body, authorization, isWhole: row.secrets === null || secret !== null }
}

/** Lists the entries of all owners or of one owner, in order. */
export async function listQueue(database: OfflineDatabase, owner?: string): Promise<readonly QueueEntry[]> {
  const rows =
    owner === undefined
      ? await database.offlineQueue.toArray()
      : await database.offlineQueue.where('owner').equals(owner).toArray()
  return rows.map(toEntry).toSorted((one, other) => one.id - other.id)
}

/**
 * Clears the flag in localStorage if the queue is empty. If another tab adds an entry meanwhile, sets the flag again.
 */
export async function unmarkEmptyQueue(database: OfflineDatabase): Promise<void> {
  if ((await database.offlineQueue.count()) > 0) return
  markQueue(false)
  if ((await database.offlineQueue.count()) > 0) markQueue(true)
}

const isWithoutRoom = (error: unknown): boolean => {
  const { name, inner } = error as { name?: unknown; inner?: { name?: unknown } | null }
  return name === 'QuotaExceededError' || inner?.name === 'QuotaExceededError'
}

/**
 * Creates the store of the queue for one run. If a change to an entry cannot be saved because the storage is full,
 * the change stays in memory for the run.
 */
export function queueStore(database: OfflineDatabase): QueueStore {
  const unsaved = new Map<number, Partial<QueueEntry>>()
  return {
    all: async () => (await listQueue(database)).map((entry) => ({ ...entry, ...unsaved.get(entry.id) })),
    change: async (id, changes) => {
      try {
        await database.offlineQueue.update(id, changes)
      } catch (error) {
        if (!isWithoutRoom(error)) throw error
        unsaved.set(id, { ...unsaved.get(id), ...changes })
      }
    },
    remove: (id) => database.offlineQueue.delete(id),
  }
}

/** Removes credentials on logout, so that pending changes wait until their owner logs in again. */
export async function forgetCredentials(database: OfflineDatabase, owner?: string): Promise<void> {
  const all = database.offlineQueue
  const entries = owner === undefined ? all.toCollection() : all.where('owner').equals(owner)
  await entries.modify({ credential: null })
}

/** Releases changes that waited for their owner's login. */
export async function wakeOwner(database: OfflineDatabase, owner: string): Promise<void> {
  await database.offlineQueue
    .where('owner')
    .equals(owner)
    .filter(({ status }) => status === 'login')
    .modify({ status: 'pending', attempts: 0, nextAttemptAtMs: 0 })
}
