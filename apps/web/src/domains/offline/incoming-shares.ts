import { randomId } from '../../lib/random-id.ts'
import { type IncomingShare, offlineDatabase } from './database.ts'

/** In the address of the page that is opened: the id of a share, or that it was missed. */
export interface SharedSearch {
  readonly shared?: string | undefined
}

/** Stands for a share that could not be kept. The server says the same where there is no service worker yet. */
export const MISSED = 'missed'

/** How long unclaimed shares are stored. */
const KEPT_MS = 24 * 3600 * 1000

type Shared = Omit<IncomingShare, 'id' | 'createdAtMs'>

/** Keeps something until a page takes it; answers its id. @throws where the browser keeps nothing, or has no room. */
export async function keepShare(share: Shared): Promise<string> {
  const { incomingShares } = offlineDatabase()
  const nowMs = Date.now()
  await incomingShares
    .where('createdAtMs')
    .below(nowMs - KEPT_MS)
    .delete()
  // Never digits alone, which an address would be read as a number of.
  const id = `s${randomId()}`
  await incomingShares.add({ ...share, id, createdAtMs: nowMs })
  return id
}

export const findShare = (id: string): Promise<IncomingShare | undefined> =>
  offlineDatabase().incomingShares.get(id)

/** Those with files, the oldest first. */
export async function listFileShares(): Promise<readonly IncomingShare[]> {
  const all = await offlineDatabase().incomingShares.orderBy('createdAtMs').toArray()
  return all.filter(({ files }) => files.length > 0)
}

export const forgetShares = (ids: readonly string[]): Promise<void> =>
  offlineDatabase().incomingShares.bulkDelete([...ids])

/** Title, text and link as one text; apps often say the same thing twice. */
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
