export type OperationType =
  | 'create_paste'
  | 'create_sealed_text'
  | 'update_paste'
  | 'delete_paste'
  | 'batch_delete_pastes'
  | 'clear_expired_pastes'
  | 'update_settings'
  | 'clear_cache'
  | 'verify_file_password'

/**
 * `pending` entries wait for their first attempt, `retry` entries for the next attempt. Other entries wait for the
 * user: `login` for a login by the owner, `conflict` for a decision, `failed` for a retry or an edit.
 */
export type EntryStatus = 'pending' | 'retry' | 'login' | 'conflict' | 'failed'

/**
 * Why an entry waits for the user's decision: the text was changed or deleted elsewhere, its suffix is taken, or it
 * expired before it was sent.
 */
export type ConflictKind = 'changed' | 'gone' | 'slug_taken' | 'overdue'

/** Result of the last failed attempt. `status` is 0 if no response arrived. */
export interface EntryFailure {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** A change that the server has not yet confirmed. */
export interface QueueEntry {
  readonly id: number
  /** Login that made the change. The change is never sent with another credential. */
  readonly owner: string
  readonly type: OperationType
  readonly method: 'POST' | 'PUT' | 'DELETE'
  /** URL path relative to the server, including the query. */
  readonly endpoint: string
  /** JSON body; `undefined` for none. */
  readonly data: unknown
  /** Key that identifies the request, the same for every attempt. */
  readonly idempotencyKey: string
  /**
   * Whether the text has a password that this entry does not contain. Such a text must not be shared again without a
   * password.
   */
  readonly isProtected?: boolean
  /** Target server. Other servers can be reachable when this server is not. */
  readonly server?: string
  /** ID of the earlier entry whose result this change edits. */
  readonly continues?: number | null
  /** IDs of the changed objects. A later entry of the same owner with a common ID waits for this entry. */
  readonly subjects: readonly string[]
  readonly status: EntryStatus
  readonly conflict: ConflictKind | null
  readonly failure: EntryFailure | null
  readonly attempts: number
  readonly nextAttemptAtMs: number
  /** Time of the change, in milliseconds since 1970. */
  readonly timestamp: number
}

export type NewEntry = Omit<QueueEntry, 'id'>

export const serverOf = ({ server = '' }: QueueEntry): string => server

/** Returns whether the entry waits for the user. */
export const isStuck = ({ status }: QueueEntry): boolean =>
  status === 'login' || status === 'conflict' || status === 'failed'

/** Returns whether the text has expired since the change was made. */
export function isOverdue({ type, data, timestamp }: QueueEntry, nowMs: number): boolean {
  if (type !== 'create_paste' && type !== 'update_paste') return false
  const { expiresAt } = (data ?? {}) as { expiresAt?: unknown }
  const endsAtMs = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN
  return endsAtMs <= nowMs && endsAtMs > timestamp
}

/**
 * Returns the entry to send next: the oldest due entry that does not wait for an earlier entry with a common subject.
 * @param away servers to skip.
 * @returns `entry` is `null` if no entry can be sent; then `nextAtMs` is the next due time, if any.
 */
export function nextOf(
  entries: readonly QueueEntry[],
  nowMs: number,
  away: ReadonlySet<string> = new Set(),
): { readonly entry: QueueEntry | null; readonly nextAtMs: number | null } {
  const held = new Set<string>()
  let nextAtMs: number | null = null
  for (const entry of entries.toSorted((one, other) => one.id - other.id)) {
    const isBehind = entry.subjects.some((subject) => held.has(`${entry.owner} ${subject}`))
    if (!isBehind && !isStuck(entry)) {
      const isAway = away.has(serverOf(entry))
      if (entry.nextAttemptAtMs <= nowMs && !isAway) return { entry, nextAtMs }
      if (entry.nextAttemptAtMs > nowMs) nextAtMs = Math.min(nextAtMs ?? Infinity, entry.nextAttemptAtMs)
    }
    for (const subject of entry.subjects) held.add(`${entry.owner} ${subject}`)
  }
  return { entry: null, nextAtMs }
}
