import type { QueueEntry } from '@dropleaf/sync-queue'
import { titleOfText } from '../../../lib/text/text-title.ts'
import { expiryInstant } from '../../../lib/expiry-instant.ts'
import type { OfflineDatabase, SentText } from '../database.ts'

/** Sent texts are deleted after a week, like offline copies. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000

type Fields = Readonly<Record<string, unknown>>

const textOr = <Other>(other: Other, value: unknown) => (typeof value === 'string' ? value : other)

/** Stores the link of a sent text, so that the user can be notified of it. Ignores other entries of the queue. */
export async function storeSent(database: OfflineDatabase, entry: QueueEntry, body: unknown): Promise<void> {
  const isSealed = entry.type === 'create_sealed_text'
  const { slug, createdAt } = ((isSealed ? (body as Fields | null)?.['data'] : body) ?? {}) as Fields
  const row = await database.offlineQueue.get(entry.id)
  if (!(isSealed || entry.type === 'create_paste') || typeof slug !== 'string' || !row) return
  const { id, kdf, content, remark, expiresAt, expires_in: hours, opening } = (entry.data ?? {}) as Fields
  const hasPassword = isSealed ? Boolean(kdf) : row.secrets !== null
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
    ...(isSealed && typeof id === 'string' && { sealedId: id }),
    createdAt: textOr(new Date(nowMs).toISOString(), createdAt),
    expiresAt: isSealed ? expiryInstant(Number(hours ?? 0), nowMs) : textOr(null, expiresAt),
    remark: textOr('', remark),
    hasPassword,
    // The title is part of the content. The content of a text with a password or confirmation is not kept on the
    // device.
    title: hasPassword || opening === 'ask' ? '' : titleOfText(textOr('', content)),
    sentAtMs: nowMs,
    isTold: false,
  })
}

/** Lists the sent texts of an owner, latest first. */
export const listSent = async (database: OfflineDatabase, owner: string): Promise<readonly SentText[]> => {
  const rows = await database.sentTexts.where('owner').equals(owner).toArray()
  return rows.toSorted((one, other) => other.sentAtMs - one.sentAtMs)
}

/**
 * Returns the links of which the user was not yet notified. Marks these links, so that only one page shows each link.
 */
export const takeUnreported = (database: OfflineDatabase, owner: string): Promise<readonly SentText[]> =>
  database.transaction('rw', database.sentTexts, async () => {
    const unreported = (await listSent(database, owner)).filter(({ isTold }) => !isTold)
    for (const { id } of unreported) await database.sentTexts.update(id, { isTold: true })
    return unreported
  })
