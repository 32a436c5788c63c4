/** What was asked for, by the specification's list. */
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
 * `pending` waits for its turn, `retry` for its next attempt. The others wait for a person: `login` for the one whose it is,
 * `conflict` for a choice, `failed` for another try or a change.
 */
export type EntryStatus = 'pending' | 'retry' | 'login' | 'conflict' | 'failed'

/**
 * Why an entry waits for a choice: the thing was changed elsewhere, is there no more, its suffix is somebody else's, or the time
 * that it was to be there for is over before it was sent.
 */
export type ConflictKind = 'changed' | 'gone' | 'slug_taken' | 'overdue'

/** What the last attempt ended with. `status` 0: no answer came. */
export interface EntryFailure {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** One change that the server has not confirmed yet. */
export interface QueueEntry {
  readonly id: number
  /** Whose it is; nobody else's credential ever sends it. */
  readonly owner: string
  readonly type: OperationType
  readonly method: 'POST' | 'PUT' | 'DELETE'
  /** Path below the server's address, query included. */
  readonly endpoint: string
  /** The JSON body, `undefined` for none. */
  readonly data: unknown
  /** Names the request for the server: every attempt carries the same one. */
  readonly idempotencyKey: string
  /** What is changed has a password that the change does not name: it must not be shared anew without one. */
  readonly isProtected?: boolean
  /** Where it goes: what does not reach one server may reach another. */
  readonly server?: string
  /** The entry whose result was changed further, as whoever did it saw it. */
  readonly continues?: number | null
  /** What it changes, each in one word: a later entry for the same waits for it. */
  readonly subjects: readonly string[]
  readonly status: EntryStatus
  readonly conflict: ConflictKind | null
  readonly failure: EntryFailure | null
  readonly attempts: number
  readonly nextAttemptAtMs: number
  /** When it was asked for, ms since 1970. */
  readonly timestamp: number
}

export type NewEntry = Omit<QueueEntry, 'id'>

export const serverOf = ({ server = '' }: QueueEntry): string => server

/** Whether nothing but a person can move it on. */
export const isStuck = ({ status }: QueueEntry): boolean =>
  status === 'login' || status === 'conflict' || status === 'failed'

/** Whether a text was to be readable until a moment that is over by now, and was not when it was asked for. */
export function isOverdue({ type, data, timestamp }: QueueEntry, nowMs: number): boolean {
  if (type !== 'create_paste' && type !== 'update_paste') return false
  const { expiresAt } = (data ?? {}) as { expiresAt?: unknown }
  const endsAtMs = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN
  return endsAtMs <= nowMs && endsAtMs > timestamp
}

/**
 * The entry to send now: the first in the order of asking that is due and behind no other of the same subject.
 * @param away servers that are not asked for now
 * @returns `null` when all wait; `nextAtMs` then is when the first of them is due, if one is.
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
