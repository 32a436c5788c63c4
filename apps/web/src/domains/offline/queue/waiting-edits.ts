import type { PasteDetail, ReadablePaste } from '@dropleaf/contract'
import { currentOwner } from '../../session/session-owner.ts'
import { offlineDatabase, type QueueRow } from '../database.ts'
import { changedDetail, changedText, type TextChange } from './edited-text.ts'

/** Returns the pending changes of a text in order, except those in conflict. */
async function waitingEdits(name: string): Promise<readonly QueueRow[]> {
  const rows = await offlineDatabase().offlineQueue.where('owner').equals(currentOwner()).sortBy('id')
  // A change can set a new slug. The next change then refers to the text by the new slug.
  const names = new Set([`paste:${name}`])
  return rows.filter(({ type, status, subjects }) => {
    const isOfIt = type === 'update_paste' && subjects.some((subject) => names.has(subject))
    if (isOfIt) for (const subject of subjects) names.add(subject)
    return isOfIt && status !== 'conflict'
  })
}

const changeOf = ({ data }: QueueRow) => (data ?? {}) as TextChange

/**
 * Returns the text with the pending changes of its owner applied, except those in conflict. `continues` is the ID of
 * the last of these changes; `null` if there is none.
 */
export async function withWaitingEdits(
  detail: PasteDetail,
): Promise<{ detail: PasteDetail; continues: number | null }> {
  const rows = await waitingEdits(detail.id)
  return {
    detail: rows.reduce((made, row) => changedDetail(made, changeOf(row), row.secrets !== null), detail),
    continues: rows.at(-1)?.id ?? null,
  }
}

/** Like {@link withWaitingEdits}, for the reading page. */
export async function withWaitingText(paste: ReadablePaste): Promise<ReadablePaste> {
  const rows = await waitingEdits(paste.slug)
  return rows.reduce((made, row) => changedText(made, changeOf(row)), paste)
}
