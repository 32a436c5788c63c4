import type { AuditEntry } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { CSV_HEAD, csvLine, jsonLine, presentEntry } from './audit.models.ts'
import { type AuditFilter, auditRepository } from './audit.repository.ts'

const EXPORT_PAGE = 500

/** Returns a page of the log, newest first. Includes entries that this process has not written yet. */
export async function readAudit(
  ctx: Needs<'audit' | 'db'>,
  { filter, cursor, limit }: { filter: AuditFilter; cursor: string | null; limit: number },
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  await ctx.audit.flush()
  const rows = await auditRepository(ctx.db).find({ filter, before: cursor, limit: limit + 1 })
  const page = rows.slice(0, limit)
  return {
    entries: page.map(presentEntry),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}

/** Yields all matching entries as text. Reads page by page, so that a slow client does not hold a transaction open. */
export async function* exportAudit(
  ctx: Needs<'audit' | 'db'>,
  filter: AuditFilter,
  format: 'csv' | 'jsonl',
): AsyncGenerator<string> {
  await ctx.audit.flush()
  const lineOf = format === 'csv' ? csvLine : jsonLine
  if (format === 'csv') yield CSV_HEAD
  for (let before: string | null = null; ;) {
    const rows = await auditRepository(ctx.db).find({ filter, before, limit: EXPORT_PAGE })
    const last = rows.at(-1)
    if (!last) return
    yield rows.map((row) => lineOf(presentEntry(row))).join('')
    before = last.id
  }
}
