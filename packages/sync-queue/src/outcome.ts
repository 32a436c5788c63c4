import type { ConflictKind, EntryFailure, QueueEntry } from './entry.ts'

/** The server's response to an attempt; `none` if no response arrived. */
export type Answer =
  | { readonly kind: 'none'; readonly message: string }
  | {
      readonly kind: 'answer'
      readonly status: number
      /** Error code from the envelope; empty for a success. */
      readonly code: string
      readonly message: string
      readonly retryAfterSeconds: number | null
      /** The complete JSON body of the response. */
      readonly body: unknown
    }

export type Outcome =
  | { readonly kind: 'done' }
  /** A later attempt can succeed. `isLine` means that no response arrived, so the server might have made the change. */
  | { readonly kind: 'later'; readonly afterMs: number | null; readonly isLine: boolean }
  | { readonly kind: 'login' }
  | { readonly kind: 'conflict'; readonly conflict: ConflictKind }
  | { readonly kind: 'failed' }

const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])
/** Whether a later attempt can succeed. @param status 0 if no response arrived */
export const isTemporary = ({ status, code }: { status: number; code: string }): boolean =>
  status === 0 || PASSING.has(status) || code === 'request.idempotency_in_progress'

const CHANGING_TEXT: ReadonlySet<string> = new Set(['create_paste', 'update_paste'])

/** Derives the outcome of an attempt from the response. */
export function judge({ type }: Pick<QueueEntry, 'type'>, answer: Answer): Outcome {
  if (answer.kind === 'none') return { kind: 'later', afterMs: null, isLine: true }
  const { status, code, retryAfterSeconds } = answer
  if (status >= 200 && status < 300) return { kind: 'done' }
  // A text that is already deleted counts as deleted successfully.
  if (type === 'delete_paste' && status === 404) return { kind: 'done' }
  if (isTemporary({ status, code }))
    return {
      kind: 'later',
      afterMs: retryAfterSeconds === null ? null : retryAfterSeconds * 1000,
      isLine: false,
    }
  if (status === 401 && type !== 'verify_file_password') return { kind: 'login' }
  if (code === 'bundle.slug_taken') return { kind: 'conflict', conflict: 'slug_taken' }
  if (CHANGING_TEXT.has(type)) {
    if (code === 'paste.slug_taken') return { kind: 'conflict', conflict: 'slug_taken' }
    if (code === 'paste.changed') return { kind: 'conflict', conflict: 'changed' }
    if (type === 'update_paste' && (status === 404 || status === 410))
      return { kind: 'conflict', conflict: 'gone' }
  }
  return { kind: 'failed' }
}

export function failureOf(answer: Answer): EntryFailure {
  return answer.kind === 'none'
    ? { status: 0, code: 'client.network', message: answer.message }
    : { status: answer.status, code: answer.code, message: answer.message }
}
