import type { AnswerPlace } from './answer-places.ts'
import { findExcess, keepable, LIMITS, type KeptFacts } from './answer-rules.ts'
import { ANSWER_TABLES, type AnswerTable, type KeptAnswer, type OfflineDatabase } from '../database.ts'
import { VISITOR } from './identity.ts'

type Place = Pick<AnswerPlace, 'table' | 'key'>

interface Answer {
  readonly owner: string
  readonly text: string
  readonly contentType: string
  readonly nowMs: number
}

/** The answer that is kept for an identity, unless its time is over. */
export async function findAnswer(
  database: OfflineDatabase,
  { table, key }: Place,
  { owner, nowMs }: { owner: string; nowMs: number },
): Promise<KeptAnswer | null> {
  const found = await database[table].get([owner, key])
  return found && found.expiresAtMs > nowMs ? found : null
}

export const forgetAnswer = (
  database: OfflineDatabase,
  { table, key }: Place,
  owner: string,
): Promise<void> => database[table].delete([owner, key])

/** Keeps an answer in place of the one before. One that may not be kept leaves nothing in its place. */
export async function keepAnswer(database: OfflineDatabase, place: Place, answer: Answer): Promise<boolean> {
  const { owner, text, contentType, nowMs } = answer
  const { table, key } = place
  const kept = keepable(place, { text, nowMs })
  if (!kept) {
    await forgetAnswer(database, place, owner)
    return false
  }
  const sizeBytes = new Blob([kept.body]).size
  const row: KeptAnswer = { owner, key, contentType, sizeBytes, cachedAtMs: nowMs, ...kept }
  try {
    await database[table].put(row)
  } catch (error) {
    // No space: older entries are removed for the new one.
    await removeExcess(database, { nowMs, share: 0.5 })
    throw error
  }
  return true
}

/** What is kept of a table, without reading the answers themselves. */
async function listFacts(database: OfflineDatabase, table: AnswerTable) {
  const facts: KeptFacts<[string, string]>[] = []
  await database[table].orderBy('[cachedAtMs+sizeBytes]').eachKey((key, { primaryKey }) => {
    const [cachedAtMs = 0, sizeBytes = 0] = key as unknown as readonly number[]
    facts.push({ id: primaryKey, cachedAtMs, sizeBytes })
  })
  return facts
}

/**
 * Removes what is too old or too much.
 * @param share of the limits, 0 to 1
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

/** Removes the answers of everybody but this identity and visitors. */
export async function removeOthers(database: OfflineDatabase, owner: string): Promise<void> {
  for (const table of ANSWER_TABLES) await database[table].where('owner').noneOf([owner, VISITOR]).delete()
}
