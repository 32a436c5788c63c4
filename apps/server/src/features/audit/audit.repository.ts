import type { AuditAction, AuditEntry } from '@dropleaf/contract'
import { repositoryOf } from '../../db/repository.ts'
import { firstIdAt } from '../../http/audit-log.ts'
import type { Db } from '../../schema.ts'

export interface AuditFilter {
  readonly actor: { readonly kind: AuditEntry['actor']['kind']; readonly id: string | null } | null
  readonly action: AuditAction | null
  readonly outcome: AuditEntry['outcome'] | null
  readonly fromMs: number | null
  readonly toMs: number | null
}

const FIRST_REFUSED_STATUS = 400

export const auditRepository = repositoryOf((db: Db) => ({
  /** Newest first. @param before the id of an entry: only older ones */
  find({ filter, before, limit }: { filter: AuditFilter; before: string | null; limit: number }) {
    const { actor, action, outcome, fromMs, toMs } = filter
    let query = db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(limit)
    if (before !== null) query = query.where('id', '<', before)
    if (actor !== null) query = query.where('actor_kind', '=', actor.kind)
    if (actor !== null && actor.id !== null) query = query.where('actor_id', '=', actor.id)
    if (action !== null) query = query.where('action', '=', action)
    if (outcome !== null) query = query.where('status', outcome === 'done' ? '<' : '>=', FIRST_REFUSED_STATUS)
    if (fromMs !== null) query = query.where('id', '>=', firstIdAt(fromMs))
    if (toMs !== null) query = query.where('id', '<', firstIdAt(toMs))
    return query.execute()
  },

  /** Deletes at most `limit` entries of before an instant. Returns how many went. */
  async deleteBefore(ms: number, limit: number): Promise<number> {
    const due = db.selectFrom('audit_log').select('id').where('id', '<', firstIdAt(ms)).limit(limit)
    const { numDeletedRows } = await db.deleteFrom('audit_log').where('id', 'in', due).executeTakeFirst()
    return Number(numDeletedRows)
  },
}))
