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

/** Why an entry waits for a choice: the thing was changed elsewhere, is there no more, or its suffix is somebody else's. */
export type ConflictKind = 'changed' | 'gone' | 'slug_taken'

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

/** Whether nothing but a person can move it on. */
export const isStuck = ({ status }: QueueEntry): boolean =>
  status === 'login' || status === 'conflict' || status === 'failed'

/**
 * The entry to send now: the first in the order of asking that is due and behind no other of the same subject.
 * @returns `null` when all wait; `nextAtMs` then is when the first of them is due, if one is.
 */
export function nextOf(
  entries: readonly QueueEntry[],
  nowMs: number,
): { readonly entry: QueueEntry | null; readonly nextAtMs: number | null } {
  const held = new Set<string>()
  let nextAtMs: number | null = null
  for (const entry of entries.toSorted((one, other) => one.id - other.id)) {
    const isBehind = entry.subjects.some((subject) => held.has(`${entry.owner} ${subject}`))
    if (!isBehind && !isStuck(entry)) {
      if (entry.nextAttemptAtMs <= nowMs) return { entry, nextAtMs }
      nextAtMs = Math.min(nextAtMs ?? Infinity, entry.nextAttemptAtMs)
    }
    for (const subject of entry.subjects) held.add(`${entry.owner} ${subject}`)
  }
  return { entry: null, nextAtMs }
}
