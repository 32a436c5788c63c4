import * as z from 'zod/mini'
import { defineErrors } from '../core/errors.ts'
import { route } from '../core/route.ts'
import { task } from './tasks.ts'
import { defaultInt, instant } from '../core/wire.ts'

export const reconciliationErrors = defineErrors('reconciliation', {
  /** Another check is running. */
  running: 409,
})

/**
 * Kinds of findings: `shares` whose object is missing, `objects` of deleted shares, `parts` of interrupted uploads and
 * writes, and `reservations` of abandoned uploads.
 */
export const RECONCILIATION_KINDS = ['shares', 'objects', 'parts', 'reservations'] as const
export type ReconciliationKind = (typeof RECONCILIATION_KINDS)[number]

/**
 * Maximum number of shares and objects that a report lists. The counts in the report include those that are not listed.
 */
export const RECONCILIATION_NAMED_MAX = 100
/** Default age below which findings are ignored, because they can belong to running uploads. */
export const RECONCILIATION_GRACE_MINUTES = 24 * 60
const GRACE_MAX_MINUTES = 366 * 24 * 60

const found = z.object({
  count: z.number(),
  bytes: z.number(),
  removed: z.number(),
})

const report = z.object({
  graceMinutes: z.number(),
  repaired: z.array(z.enum(RECONCILIATION_KINDS)),
  found: z.object({ shares: found, objects: found, parts: found, reservations: found }),
  shares: z.array(
    z.object({
      id: z.string(),
      /** Absent in reports of earlier versions, which contain only files. */
      kind: z.optional(z.enum(['file', 'bundle'])),
      /** Link suffix of the file, or of the bundle to which the object belongs. */
      slug: z.string(),
      filename: z.string(),
      storage: z.string(),
      key: z.string(),
      sizeBytes: z.number(),
    }),
  ),
  objects: z.array(
    z.object({ storage: z.string(), key: z.string(), sizeBytes: z.number(), modifiedAt: instant }),
  ),
})
export type ReconciliationReport = z.infer<typeof report>

export const reconciliationRoutes = {
  read: route({
    method: 'GET',
    path: '/api/admin/reconciliation',
    access: 'admin',
    summary: 'The last storage check, and its findings once it has ended.',
    reply: z.object({ data: z.object({ task: z.nullable(task), report: z.nullable(report) }) }),
    errors: [],
  }),
  begin: route({
    method: 'POST',
    path: '/api/admin/reconciliation',
    access: 'admin',
    summary:
      'Compare database and storages as a task: shares without their object, objects of deleted shares, parts of interrupted uploads, unused reservations. The kinds in `repair` are removed; the others are only reported. Anything younger than `grace_minutes` stays: 0 is for a server that nobody uses meanwhile.',
    body: z.nullish(
      z.object({
        repair: z._default(
          z.array(z.enum(RECONCILIATION_KINDS)).check(z.maxLength(RECONCILIATION_KINDS.length)),
          [],
        ),
        grace_minutes: defaultInt({ min: 0, max: GRACE_MAX_MINUTES }, RECONCILIATION_GRACE_MINUTES),
      }),
    ),
    reply: z.object({ data: task }),
    errors: [reconciliationErrors.running],
  }),
}
