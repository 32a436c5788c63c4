import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from '@dropleaf/contract'
import type { TableSearch } from '../../lib/table-search.ts'
import type { AuditFilter } from './api/audit.queries.ts'

/** Number of days before today that each period includes. */
const DAYS_BEFORE = { today: 0, week: 6, month: 29 } as const
type Period = keyof typeof DAYS_BEFORE

export const PERIODS = Object.keys(DAYS_BEFORE) as readonly Period[]

/** Returns the start of a period. It is at local midnight, so that the query stays the same all day. */
function beginOf(text: string | undefined, now: Date): string | undefined {
  const period = PERIODS.find((known) => known === text)
  if (period === undefined) return undefined
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS_BEFORE[period]).toISOString()
}

/** Reads the filter from a URL; ignores invalid parameters. */
export const auditFilterOf = (
  { creator, action, state, period }: TableSearch,
  now = new Date(),
): AuditFilter => ({
  actor: creator,
  action: AUDIT_ACTIONS.find((known) => known === action),
  outcome: AUDIT_OUTCOMES.find((known) => known === state),
  from: beginOf(period, now),
})
