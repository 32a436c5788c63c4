import type { AuditAction, AuditEntry } from '@dropleaf/contract'

export interface AuditLogTable {
  /** In the order of time, also among those of one millisecond of one process. */
  id: string
  at_ms: number
  action: AuditAction
  actor_kind: AuditEntry['actor']['kind']
  actor_id: string | null
  /** As it was then. */
  actor_name: string | null
  target: string | null
  address: string
  /** Of the answer; from 400 on it was refused. */
  status: number
  code: string | null
}
