import { type ListedShare, SHARE_KINDS, type ShareKind } from '@dropleaf/contract'
import type { Deletion } from '../../../domains/shares/table/delete-shares-dialog.tsx'

/** For each kind, a function that deletes shares of this kind by their ids. */
export type DeletionOf = Readonly<Record<ShareKind, (ids: readonly string[]) => Promise<Deletion>>>

/** Deletes shares of several kinds, one kind after the other. */
export async function deleteShares(
  shares: readonly ListedShare[],
  deletionOf: DeletionOf,
): Promise<Deletion> {
  const failed: string[] = []
  let deleted = 0
  for (const kind of SHARE_KINDS) {
    const ids = shares.filter((share) => share.kind === kind).map(({ id }) => id)
    if (ids.length === 0) continue
    const result = await deletionOf[kind](ids)
    if (result.kind === 'task') continue
    deleted += result.deleted
    failed.push(...result.failed)
  }
  return { kind: 'done', deleted, failed }
}
