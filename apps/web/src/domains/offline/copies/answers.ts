import type { AnswerPlace } from './answer-places.ts'
import { findExcess, cacheable, LIMITS, type QueuedFacts } from './answer-rules.ts'
import { ANSWER_TABLES, type AnswerTable, type CachedAnswer, type OfflineDatabase } from '../database.ts'
import { VISITOR } from './identity.ts'

type Place = Pick<AnswerPlace, 'table' | 'key'>

interface Answer {
  readonly owner: string
  readonly text: string
  readonly contentType: string
  readonly nowMs: number
}

/** Returns the cached response of a user, unless it has expired. */
export async function findAnswer(
  database: OfflineDatabase,
  { table, key }: Place,
  { owner, nowMs }: { owner: string; nowMs: number },
): Promise<CachedAnswer | null> {
  const found = await database[table].get([owner, key])
  return found && found.expiresAtMs > nowMs ? found : null
}

export const forgetAnswer = (
  database: OfflineDatabase,
  { table, key }: Place,
  owner: string,
): Promise<void> => database[table].delete([owner, key])

/**
 * Caches a response and replaces the cached response of the same place. If the response must not be cached, only
 * removes the cached one.
 * @returns whether the response is cached
 * @throws if the browser's storage is full or not available
 */
export async function cacheAnswer(database: OfflineDatabase, place: Place, answer: Answer): Promise<boolean> {
  const { owner, text, contentType, nowMs } = answer
  const { table, key } = place
  const kept = cacheable(place, { text, nowMs })
  if (!kept) {
    await forgetAnswer(database, place, owner)
    return false
  }
  const sizeBytes = new Blob([kept.body]).size
  const row: CachedAnswer = { owner, key, contentType, sizeBytes, cachedAtMs: nowMs, ...kept }
  try {
    await database[table].put(row)
  } catch (error) {
    // The storage can be full, so this removes old responses. The caller still gets the error.
    await removeExcess(database, { nowMs, share: 0.5 })
    throw error
  }
  return true
}

/** Lists age and size of a table's responses without loading their content. */
async function listFacts(database: OfflineDatabase, table: AnswerTable) {
  const facts: QueuedFacts<[string, string]>[] = []
  await database[table].orderBy('[cachedAtMs+sizeBytes]').eachKey((key, { primaryKey }) => {
    const [cachedAtMs = 0, sizeBytes = 0] = key as unknown as readonly number[]
    facts.push({ id: primaryKey, cachedAtMs, sizeBytes })
  })
  return facts
}

/**
 * Removes responses that are too old or exceed the limits.
 * @param share fraction of the limits to apply, 0 to 1
 */
export async function removeExcess(
  database: OfflineDatabase,
  { nowMs, share = 1 }: { nowMs: number; share?: number },
): Promise<void> {
  for (const table of ANSWER_TABLES) {
    const { count, bytes } = LIMITS[table]
    const limit = { count: count * share, bytes: bytes * share }
    const excess = findExcess(await listFacts(database, table), limit, nowMs)
    await database[table].bulkDelete([...excess])
  }
}

/** Removes all cached responses except those of the given user and of visitors. */
export async function removeOthers(database: OfflineDatabase, owner: string): Promise<void> {
  for (const table of ANSWER_TABLES) await database[table].where('owner').noneOf([owner, VISITOR]).delete()
}
