/** The kind of change, as named in the specification. */
export type OperationType =
  | 'create_paste'
  | 'update_paste'
  | 'delete_paste'
  | 'batch_delete_pastes'
  | 'clear_expired_pastes'
  | 'update_settings'
  | 'clear_cache'
  | 'verify_file_password'

/**
 * `pending` waits for its turn, `retry` for its next attempt. The others wait for a person: `login` for its owner to
 * log in, `conflict` for a choice, `failed` for a retry or an edit.
 */
export type EntryStatus = 'pending' | 'retry' | 'login' | 'conflict' | 'failed'

/**
 * Why an entry waits for a choice: the text was changed elsewhere, no longer exists, its suffix is taken, or its expiry
 * passed before it was sent.
 */
export type ConflictKind = 'changed' | 'gone' | 'slug_taken' | 'overdue'

/** Result of the last attempt. `status` 0: no response arrived. */
export interface EntryFailure {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** One change that the server has not confirmed. */
export interface QueueEntry {
  readonly id: number
  /** The login that made the change; it is never sent with another credential. */
  readonly owner: string
  readonly type: OperationType
  readonly method: 'POST' | 'PUT' | 'DELETE'
  /** Path below the server's URL, query included. */
  readonly endpoint: string
  /** The JSON body, `undefined` for none. */
  readonly data: unknown
  /** Identifies the request for the server; every attempt sends the same one. */
  readonly idempotencyKey: string
  /** The changed text has a password that the change does not contain: it must not be shared anew without one. */
  readonly isProtected?: boolean
  /** Target server. If one server is unreachable, another may not be. */
  readonly server?: string
  /** The entry whose result this change edits, as seen by its author. */
  readonly continues?: number | null
  /** Ids of what it changes: a later entry with the same subject waits for it. */
  readonly subjects: readonly string[]
  readonly status: EntryStatus
  readonly conflict: ConflictKind | null
  readonly failure: EntryFailure | null
  readonly attempts: number
  readonly nextAttemptAtMs: number
  /** When the change was made, ms since 1970. */
  readonly timestamp: number
}

export type NewEntry = Omit<QueueEntry, 'id'>

export const serverOf = ({ server = '' }: QueueEntry): string => server

/** Whether only a person can continue it. */
export const isStuck = ({ status }: QueueEntry): boolean =>
  status === 'login' || status === 'conflict' || status === 'failed'

/** Whether the text's expiry has passed by now, but had not when the change was made. */
export function isOverdue({ type, data, timestamp }: QueueEntry, nowMs: number): boolean {
  if (type !== 'create_paste' && type !== 'update_paste') return false
  const { expiresAt } = (data ?? {}) as { expiresAt?: unknown }
  const endsAtMs = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN
  return endsAtMs <= nowMs && endsAtMs > timestamp
}

/**
 * The entry to send now: the first one, in order of creation, that is due and not behind another of the same subject.
 * @param away servers that are skipped for now
 * @returns `null` if all wait; `nextAtMs` is then when the first of them is due, if any.
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
