import { queryOptions } from '@tanstack/react-query'
import { offlineDatabase, type OfflineDatabase } from '../../domains/offline/database.ts'
import { currentOwner } from '../../domains/session/session-owner.ts'
import { readStoredJson, writeStored } from '../../lib/browser/storage.ts'

/** Storage key of older versions. */
const OLD_KEY = 'fileSearchHistory'
const KEPT = 10

/** Returns the user's entries, newest first. The latest entry has the largest id. */
const ownEntries = async (database: OfflineDatabase, owner: string) =>
  (await database.searchHistory.where('owner').equals(owner).sortBy('id')).toReversed()

const newEntry = (owner: string, query: string) => ({ owner, query, timestamp: Date.now() })

/** Migrates the history of older versions, once. */
async function takeOver(database: OfflineDatabase, owner: string): Promise<void> {
  const stored = readStoredJson(OLD_KEY)
  if (stored === null) return
  const queries = Array.isArray(stored) ? stored.filter((one) => typeof one === 'string').slice(0, KEPT) : []
  writeStored(OLD_KEY, null)
  await database.searchHistory.bulkAdd(queries.toReversed().map((query) => newEntry(owner, query)))
}

/** Returns the searches from which a user has opened a result, newest first. Empty if the browser blocks storage. */
export async function readHistory(owner: string, database = offlineDatabase()): Promise<readonly string[]> {
  try {
    await takeOver(database, owner)
    return (await ownEntries(database, owner)).map(({ query }) => query)
  } catch {
    return []
  }
}

export async function rememberSearch(
  text: string,
  owner = currentOwner(),
  database = offlineDatabase(),
): Promise<void> {
  const query = text.trim()
  const { searchHistory } = database
  try {
    await database.transaction('rw', searchHistory, async () => {
      const before = await ownEntries(database, owner)
      const others = before.filter((entry) => entry.query !== query)
      const gone = [...before.filter((entry) => entry.query === query), ...others.slice(KEPT - 1)]
      await searchHistory.bulkDelete(gone.map(({ id }) => id))
      await searchHistory.add(newEntry(owner, query))
    })
  } catch {
    // Without storage there is no history.
  }
}

export const clearHistory = async (owner = currentOwner()): Promise<void> => {
  await offlineDatabase().searchHistory.where('owner').equals(owner).delete()
}

export const historyQuery = () => {
  const owner = currentOwner()
  return queryOptions({
    queryKey: ['search-history', owner],
    queryFn: () => readHistory(owner),
    networkMode: 'always',
    staleTime: 0,
    gcTime: 0,
  })
}
