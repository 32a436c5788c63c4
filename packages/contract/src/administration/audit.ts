import * as z from 'zod/mini'
import { route } from '../core/route.ts'
import { defaultInt, instant, optionalChoice, optionalInstant, optionalText } from '../core/wire.ts'

/**
 * Actions in the audit log, done or refused. The names never change, because exported logs contain them. The server's
 * `audit-actions.ts` maps routes to them.
 */
export const AUDIT_ACTIONS = [
  'session.login',
  'session.drive_login',
  'session.logout',
  'session.end',
  'session.end_others',
  'account.change',
  /** The password was reset with the `reset-password` command. */
  'account.reset_password',
  'api_key.create',
  'api_key.change',
  'api_key.delete',
  'api_key.read',
  'text.create',
  'text.change',
  'text.delete',
  'text.delete_expired',
  'text.delete_matching',
  'text.restore',
  'text.forget',
  'text.arm',
  'text.ask_limited',
  'text.read_password',
  'file.create',
  'file.change',
  'file.delete',
  'file.delete_expired',
  'file.delete_matching',
  'file.arm',
  'file.ask_limited',
  'file.read_password',
  'drive.write',
  'drive.create_folder',
  'drive.rename',
  'drive.move',
  'drive.copy',
  'drive.delete',
  'drive.lock',
  'drive.unlock',
  'drive.properties',
  'import.start',
  'task.cancel',
  'task.retry',
  'task.delete',
  'mount.create',
  'mount.change',
  'mount.delete',
  'storage.create',
  'storage.change',
  'storage.delete',
  'storage.set_default',
  'storage.test',
  'storage.check',
  'index.rebuild',
  'cache.clear',
  'settings.change',
  'guide.save',
  'samples.create',
  'samples.delete',
  'backup.export',
  'backup.import',
  'backup.confirm_restored',
  'audit.export',
  /** Some entries could not be stored, because too many arrived. The target is the number of dropped entries. */
  'audit.overflow',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const AUDIT_OUTCOMES = ['done', 'refused'] as const
export const AUDIT_ACTORS = ['admin', 'key', 'visitor'] as const
export const AUDIT_PAGE_SIZE = 50
const AUDIT_PAGE_SIZE_MAX = 200

const auditEntry = z.object({
  id: z.string(),
  at: instant,
  action: z.enum(AUDIT_ACTIONS),
  /** Names as they were at the time of the entry, even of things deleted since. */
  actor: z.object({
    kind: z.enum(AUDIT_ACTORS),
    id: z.nullable(z.string()),
    name: z.nullable(z.string()),
  }),
  /** A path, a name, a link suffix or an id. */
  target: z.nullable(z.string()),
  /** The network: /24 of an IPv4 address, /48 of an IPv6 one. */
  address: z.string(),
  outcome: z.enum(AUDIT_OUTCOMES),
  status: z.number(),
  /** Why the action was refused. */
  code: z.nullable(z.string()),
})
export type AuditEntry = z.infer<typeof auditEntry>

const auditFilter = {
  /** `admin`, `visitor`, or `apikey:` and the id of an API key. */
  actor: optionalText(200),
  action: optionalChoice(AUDIT_ACTIONS),
  outcome: optionalChoice(AUDIT_OUTCOMES),
  /** First instant, inclusive. */
  from: optionalInstant,
  /** Last instant, exclusive. */
  to: optionalInstant,
}

export const auditRoutes = {
  list: route({
    method: 'GET',
    path: '/api/admin/audit',
    access: 'admin',
    summary: 'Actions of administrators and keys, newest first.',
    query: z.object({
      ...auditFilter,
      cursor: optionalText(100),
      limit: defaultInt({ min: 1, max: AUDIT_PAGE_SIZE_MAX }, AUDIT_PAGE_SIZE),
    }),
    reply: z.object({
      data: z.object({
        entries: z.array(auditEntry),
        /** Cursor for the entries after the last one; `null` at the end. */
        next_cursor: z.nullable(z.string()),
        /** Days for which entries are stored. */
        kept_days: z.number(),
      }),
    }),
    errors: [],
  }),
  export: route({
    method: 'GET',
    path: '/api/admin/audit/export',
    access: 'admin',
    summary: 'The whole audit log as a file: CSV for spreadsheets, or one line of JSON per entry.',
    query: z.object({ ...auditFilter, format: z._default(z.enum(['csv', 'jsonl']), 'csv') }),
    replyType: '*/*',
    errors: [],
  }),
}
