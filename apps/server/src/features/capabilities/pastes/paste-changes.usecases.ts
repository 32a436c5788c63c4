import { PASTE_REVISIONS_MAX, PASTE_REVISIONS_MAX_BYTES, pasteErrors } from '@dropleaf/contract'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Db } from '../../../schema.ts'
import { findFinalEnd } from './pastes.models.ts'
import { type AliveChange, pastesRepository } from './pastes.repository.ts'
import type { PasteRow } from './pastes.table.ts'
import { pasteRevisionsRepository } from './paste-revisions.repository.ts'

const KEPT = { count: PASTE_REVISIONS_MAX, bytes: PASTE_REVISIONS_MAX_BYTES }

async function storeRevision(
  db: Db,
  before: PasteRow,
  after: Pick<PasteRow, 'content' | 'content_type' | 'updated_at_ms'>,
): Promise<void> {
  if (before.content === after.content && before.content_type === after.content_type) return
  const repository = pasteRevisionsRepository(db)
  await repository.insert({
    id: newId(),
    paste_id: before.id,
    content: before.content,
    content_type: before.content_type,
    size_bytes: Buffer.byteLength(before.content),
    created_at_ms: before.updated_at_ms,
    replaced_at_ms: after.updated_at_ms,
  })
  await repository.prune(before.id, KEPT)
}

interface Replacing {
  /** The version that was read. */
  readonly row: PasteRow
  readonly change: AliveChange
  readonly nowMs: number
}

/**
 * Changes a share if it is still the version that was read. If its text or type changes, stores the replaced version as
 * a revision.
 * @throws {AppError} `paste.changed` if another version was saved; `paste.expired`, `paste.used_up`, `paste.not_found`
 */
export async function replacePaste(db: Db, { row, change, nowMs }: Replacing): Promise<void> {
  const repository = pastesRepository(db)
  if (await repository.updateReadable(row, change, nowMs)) {
    const { content, content_type = row.content_type, updated_at_ms } = change
    await storeRevision(db, row, { content, content_type, updated_at_ms })
    return
  }
  const present = await repository.findForOwner(row.id, {})
  throw new AppError(present ? (findFinalEnd(present, nowMs) ?? pasteErrors.changed) : pasteErrors.not_found)
}

/** Returns a unique time for a new version, even if several versions are saved within a millisecond. */
export const nextVersionMs = (row: PasteRow, nowMs: number): number => Math.max(nowMs, row.updated_at_ms + 1)
