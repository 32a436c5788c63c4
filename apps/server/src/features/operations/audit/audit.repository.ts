import type { AuditAction, AuditEntry } from '@dropleaf/contract'
import { firstIdAt } from '../../../audit/audit-log.ts'
import type { Db } from '../../../schema.ts'

export interface AuditFilter {
  readonly actor: { readonly kind: AuditEntry['actor']['kind']; readonly id: string | null } | null
  readonly action: AuditAction | null
  readonly outcome: AuditEntry['outcome'] | null
  readonly fromMs: number | null
  readonly toMs: number | null
}

const FIRST_REFUSED_STATUS = 400

/** Tables of entities with an id and a name, keyed by kind. */
const NAMED = {
  storage: 'storage_configs',
  index: 'storage_configs',
  mount: 'mounts',
  api_key: 'api_keys',
} as const

export const auditRepository = (db: Db) => ({
  /** Finds entries, newest first. @param before id of an entry; only older entries are returned */
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

  /** Returns the names of the existing entities among `ids`, in the order of the ids. */
  async namesFor(action: AuditAction, ids: readonly string[]): Promise<readonly string[]> {
    const kind = action.split('.')[0] ?? ''
    const names = new Map<string, string>()
    if (kind === 'text') {
      const rows = await db.selectFrom('pastes').select(['id', 'slug']).where('id', 'in', ids).execute()
      for (const { id, slug } of rows) names.set(id, slug)
    } else if (kind === 'file') {
      const rows = await db
        .selectFrom('files')
        .select(['id', 'slug', 'filename'])
        .where('id', 'in', ids)
        .where('bundle_id', 'is', null)
        .execute()
      for (const { id, slug, filename } of rows) names.set(id, `${filename} /${slug}`)
    } else if (kind === 'bundle') {
      const rows = await db
        .selectFrom('bundles')
        .select(['id', 'slug', 'title'])
        .where('id', 'in', ids)
        .execute()
      for (const { id, slug, title } of rows) names.set(id, title === null ? slug : `${title} /${slug}`)
    } else if (kind === 'storage' || kind === 'index' || kind === 'mount' || kind === 'api_key') {
      const rows = await db.selectFrom(NAMED[kind]).select(['id', 'name']).where('id', 'in', ids).execute()
      for (const { id, name } of rows) names.set(id, name)
    }
    return ids.map((id) => names.get(id)).filter((name) => name !== undefined)
  },

  /** Deletes at most `limit` entries older than a time. Returns the number of deleted entries. */
  async deleteBefore(ms: number, limit: number): Promise<number> {
    const due = db.selectFrom('audit_log').select('id').where('id', '<', firstIdAt(ms)).limit(limit)
    const { numDeletedRows } = await db.deleteFrom('audit_log').where('id', 'in', due).executeTakeFirst()
    return Number(numDeletedRows)
  },
})
