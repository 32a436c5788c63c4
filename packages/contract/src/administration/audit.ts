import * as z from 'zod/mini'
import { route } from '../core/route.ts'
import { defaultInt, instant, optionalChoice, optionalInstant, optionalText } from '../core/wire.ts'

/**
 * Audited actions, successful or refused. Do not rename them, because exported logs contain the names. The server's
 * `audit-actions.ts` maps routes to actions.
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
  'bundle.create',
  'bundle.publish',
  'bundle.restore',
  'bundle.change',
  'bundle.arm',
  'bundle.delete',
  'bundle.read_password',
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
  /** Some entries were dropped, because too many arrived at once. The target is the number of dropped entries. */
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
  /** The actor with its name at the time of the action. The name remains even if the actor is deleted later. */
  actor: z.object({
    kind: z.enum(AUDIT_ACTORS),
    id: z.nullable(z.string()),
    name: z.nullable(z.string()),
  }),
  /** A path, name, link suffix or ID. */
  target: z.nullable(z.string()),
  /** Network of the client: the /24 of an IPv4 address or the /48 of an IPv6 address. */
  address: z.string(),
  outcome: z.enum(AUDIT_OUTCOMES),
  status: z.number(),
  /** Error code, if the action was refused. */
  code: z.nullable(z.string()),
})
export type AuditEntry = z.infer<typeof auditEntry>

const auditFilter = {
  /** `admin`, `visitor`, or `apikey:` followed by the ID of an API key. */
  actor: optionalText(200),
  action: optionalChoice(AUDIT_ACTIONS),
  outcome: optionalChoice(AUDIT_OUTCOMES),
  /** Start of the time range, inclusive. */
  from: optionalInstant,
  /** End of the time range, exclusive. */
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
        /** Cursor for the next page; `null` at the end. */
        next_cursor: z.nullable(z.string()),
        /** Number of days after which entries are deleted. */
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
