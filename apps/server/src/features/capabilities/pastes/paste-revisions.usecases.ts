import { pasteErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { pasteSearchText } from '../../../lib/search-text.ts'
import type { Actor } from '../../foundation/identity/actor.models.ts'
import { requireOpenShares } from '../../foundation/settings/settings.usecases.ts'
import { findEnd } from './pastes.models.ts'
import type { AliveChange } from './pastes.repository.ts'
import { getOwnPaste, roomFor } from './pastes.usecases.ts'
import { nextVersionMs, replacePaste } from './paste-changes.usecases.ts'
import { pasteRevisionsRepository } from './paste-revisions.repository.ts'
import type { PasteRevisionRow } from './paste-revisions.table.ts'

/**
 * Lists revisions without their contents, newest first. @throws {AppError} `paste.not_found`, also if the caller does
 * not manage the text
 */
export async function listRevisions(ctx: Needs<'db' | 'secrets'>, actor: Actor, idOrSlug: string) {
  const { row } = await getOwnPaste(ctx, actor, idOrSlug)
  return pasteRevisionsRepository(ctx.db).list(row.id)
}

async function getWithRevision(
  ctx: Needs<'db' | 'secrets'>,
  actor: Actor,
  idOrSlug: string,
  revisionId: string,
) {
  const { row } = await getOwnPaste(ctx, actor, idOrSlug)
  const revision = await pasteRevisionsRepository(ctx.db).find(row.id, revisionId)
  if (!revision) throw new AppError(pasteErrors.revision_not_found)
  return { row, revision }
}

/** @throws {AppError} `paste.not_found`, `paste.revision_not_found` */
export async function readRevision(
  ctx: Needs<'db' | 'secrets'>,
  actor: Actor,
  idOrSlug: string,
  revisionId: string,
): Promise<PasteRevisionRow> {
  const { revision } = await getWithRevision(ctx, actor, idOrSlug, revisionId)
  return revision
}

/**
 * Restores an earlier version of a text. If the current version differs, it becomes a revision.
 * @throws {AppError} `paste.not_found`, `paste.expired`, `paste.used_up`, `paste.revision_not_found`;
 *   `share.must_be_sealed` for other contents; `paste.changed` if the text is saved at the same time
 * @throws {StorageError} `storage.full` if the disk of the database is almost full
 */
export async function restoreRevision(
  ctx: Needs<'clock' | 'database' | 'db' | 'room' | 'secrets'>,
  actor: Actor,
  idOrSlug: string,
  revisionId: string,
): Promise<{ id: string; slug: string }> {
  const { row, revision } = await getWithRevision(ctx, actor, idOrSlug, revisionId)
  const nowMs = ctx.clock.nowMs()
  const end = findEnd(row, nowMs)
  if (end) throw new AppError(end)
  const { content, content_type } = revision
  if (content !== row.content) await requireOpenShares(ctx)
  await ctx.room.take(roomFor(content))
  const change: AliveChange = {
    content,
    content_type,
    max_views: row.max_views,
    updated_at_ms: nextVersionMs(row, nowMs),
    search_text: pasteSearchText(row.remark, content),
  }
  await ctx.database.transaction((trx) => replacePaste(trx, { row, change, nowMs }))
  return { id: row.id, slug: row.slug }
}

/**
 * Deletes all revisions of a text.
 * @returns the number of deleted revisions
 * @throws {AppError} `paste.not_found`
 */
export async function forgetRevisions(
  ctx: Needs<'db' | 'secrets'>,
  actor: Actor,
  idOrSlug: string,
): Promise<number> {
  const { row } = await getOwnPaste(ctx, actor, idOrSlug)
  return pasteRevisionsRepository(ctx.db).deleteOf([row.id])
}
