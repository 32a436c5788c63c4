import type { AuditEntry } from '@dropleaf/contract'
import type { AuditLogTable } from '../../../audit/audit.table.ts'
import { toInstant } from '../../../lib/clock.ts'
import type { AuditFilter } from './audit.repository.ts'

export const presentEntry = (row: AuditLogTable): AuditEntry => ({
  id: row.id,
  at: toInstant(row.at_ms),
  action: row.action,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  target: row.target,
  address: row.address,
  outcome: row.status < 400 ? 'done' : 'refused',
  status: row.status,
  code: row.code,
})

const KEY_PREFIX = 'apikey:'

/** Parses the actor in a filter. An unknown actor matches nothing. */
export function parseActor(text: string | null): AuditFilter['actor'] {
  if (text === null) return null
  if (text === 'admin' || text === 'visitor') return { kind: text, id: null }
  return { kind: 'key', id: text.startsWith(KEY_PREFIX) ? text.slice(KEY_PREFIX.length) : text }
}

const COLUMNS: ReadonlyArray<readonly [header: string, cell: (entry: AuditEntry) => string]> = [
  ['time', ({ at }) => at],
  ['action', ({ action }) => action],
  ['outcome', ({ outcome }) => outcome],
  ['actor', ({ actor }) => actor.kind],
  ['actor_name', ({ actor }) => actor.name ?? ''],
  ['actor_id', ({ actor }) => actor.id ?? ''],
  ['target', ({ target }) => target ?? ''],
  ['address', ({ address }) => address],
  ['status', ({ status }) => String(status)],
  ['code', ({ code }) => code ?? ''],
]

/**
 * Formats a CSV cell so that spreadsheets treat it as text. A cell that looks like a formula gets a leading apostrophe,
 * because names and paths are user input.
 * Source: OWASP "CSV Injection", read 2026-11-22.
 */
export function csvCell(text: string): string {
  const isFormula = /^[\s]*[=+\-@\t\r]/.test(text) || /^[\uFF1D\uFF0B\uFF0D\uFF20]/.test(text)
  const safe = isFormula ? `'${text}` : text
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Header of the CSV file. It starts with a byte order mark, from which spreadsheets detect UTF-8. */
export const CSV_HEAD = `\uFEFF${COLUMNS.map(([header]) => header).join(',')}\r\n`

export const csvLine = (entry: AuditEntry): string =>
  `${COLUMNS.map(([, cell]) => csvCell(cell(entry))).join(',')}\r\n`

export const jsonLine = (entry: AuditEntry): string => `${JSON.stringify(entry)}\n`
