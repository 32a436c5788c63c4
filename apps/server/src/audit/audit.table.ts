import type { AuditAction, AuditEntry } from '@dropleaf/contract'

export interface AuditLogTable {
  /** Sorted by time, also within one millisecond of one process. */
  id: string
  at_ms: number
  action: AuditAction
  actor_kind: AuditEntry['actor']['kind']
  actor_id: string | null
  /** The name at that time. */
  actor_name: string | null
  target: string | null
  address: string
  /** Status of the response; 400 and higher: refused. */
  status: number
  code: string | null
}
