import type { QueueEntry } from '@dropleaf/sync-queue'
import { titleOfText } from '../../../lib/text/text-title.ts'
import type { OfflineDatabase, SentText } from '../database.ts'

/** As long as copies of what was seen. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000

type Fields = Readonly<Record<string, unknown>>

const textOr = <Other>(other: Other, value: unknown) => (typeof value === 'string' ? value : other)

/** Keeps the link of a text that has just been sent, whoever is there to be told of it. */
export async function keepSent(database: OfflineDatabase, entry: QueueEntry, body: unknown): Promise<void> {
  const { slug, createdAt } = (body ?? {}) as Fields
  const row = await database.offlineQueue.get(entry.id)
  if (entry.type !== 'create_paste' || typeof slug !== 'string' || !row) return
  const { content, remark, expiresAt } = (entry.data ?? {}) as Fields
  const hasPassword = row.secrets !== null
  const nowMs = Date.now()
  await database.sentTexts
    .where('sentAtMs')
    .below(nowMs - KEPT_MS)
    .delete()
  await database.sentTexts.put({
    id: entry.id,
    owner: entry.owner,
    server: row.server,
    slug,
    createdAt: textOr(new Date(nowMs).toISOString(), createdAt),
    expiresAt: textOr(null, expiresAt),
    remark: textOr('', remark),
    hasPassword,
    // Words that a password keeps are not left on the device.
    title: hasPassword ? '' : titleOfText(textOr('', content)),
    sentAtMs: nowMs,
    isTold: false,
  })
}

/** Those of one owner, the latest first. */
export const listSent = async (database: OfflineDatabase, owner: string): Promise<readonly SentText[]> => {
  const rows = await database.sentTexts.where('owner').equals(owner).toArray()
  return rows.toSorted((one, other) => other.sentAtMs - one.sentAtMs)
}

/** Those whose link nobody has been told yet: each is answered to one page alone. */
export const takeUntold = (database: OfflineDatabase, owner: string): Promise<readonly SentText[]> =>
  database.transaction('rw', database.sentTexts, async () => {
    const untold = (await listSent(database, owner)).filter(({ isTold }) => !isTold)
    for (const { id } of untold) await database.sentTexts.update(id, { isTold: true })
    return untold
  })
