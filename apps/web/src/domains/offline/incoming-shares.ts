import { randomId } from '../../lib/random-id.ts'
import { type IncomingShare, offlineDatabase } from './database.ts'

/** Search parameters of the opened page: the ID of a share, or {@link MISSED}. */
export interface SharedSearch {
  readonly shared?: string | undefined
}

/**
 * Replaces the ID of a share that could not be stored. The server also uses this value if there is no service worker
 * yet.
 */
export const MISSED = 'missed'

/** Shares that no page has handled expire after this time. */
const KEPT_MS = 24 * 3600 * 1000

type Shared = Omit<IncomingShare, 'id' | 'createdAtMs'>

/**
 * Stores shared content until a page handles it.
 * @returns the ID of the share
 * @throws if the browser's storage is full or not available
 */
export async function storeShare(share: Shared): Promise<string> {
  const { incomingShares } = offlineDatabase()
  const nowMs = Date.now()
  await incomingShares
    .where('createdAtMs')
    .below(nowMs - KEPT_MS)
    .delete()
  // Adds a prefix, so that the router does not parse the ID as a number.
  const id = `s${randomId()}`
  await incomingShares.add({ ...share, id, createdAtMs: nowMs })
  return id
}

export const findShare = (id: string): Promise<IncomingShare | undefined> =>
  offlineDatabase().incomingShares.get(id)

/** Lists shares with files, oldest first. */
export async function listFileShares(): Promise<readonly IncomingShare[]> {
  const all = await offlineDatabase().incomingShares.orderBy('createdAtMs').toArray()
  return all.filter(({ files }) => files.length > 0)
}

export const forgetShares = (ids: readonly string[]): Promise<void> =>
  offlineDatabase().incomingShares.bulkDelete([...ids])

/** Combines title, text and link into one text. Omits parts that repeat another part, as many apps send them. */
export function composeText({ title, text, url }: Pick<Shared, 'title' | 'text' | 'url'>): string {
  const parts: string[] = []
  for (const part of [title, text, url].map((one) => one.trim())) {
    const isSaid = parts.some((before) => before.includes(part))
    if (part !== '' && !isSaid) parts.push(part)
  }
  const [first, second] = parts
  const isTitleInText = title.trim() !== '' && first !== undefined && second?.includes(first) === true
  return (isTitleInText ? parts.slice(1) : parts).join('\n\n')
}
