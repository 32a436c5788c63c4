import type { AuditAction, AuditEntry } from '@dropleaf/contract'

export interface AuditLogTable {
  /** Ids sort by time. Ids of the same millisecond sort by the order in which the process created them. */
  id: string
  at_ms: number
  action: AuditAction
  actor_kind: AuditEntry['actor']['kind']
  actor_id: string | null
  /** Name of the actor at the time of the action. */
  actor_name: string | null
  target: string | null
  address: string
  /** Status of the response. A status of 400 or higher means that the request was refused. */
  status: number
  code: string | null
}
