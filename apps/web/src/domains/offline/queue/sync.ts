import {
  type Answer,
  type Outcome,
  type QueueEntry,
  replay,
  type ReplayResult,
  revive,
} from '@dropleaf/sync-queue'
import type { OfflineDatabase } from '../database.ts'
import { listQueue, openEntry, queueStore } from './queue-store.ts'
import { storeSent } from './sent-texts.ts'

/** Name of a lock shared by all tabs and the service worker, so that no entry is sent twice. */
const LOCK = 'dropleaf-sync'
const TIMEOUT_MS = 30_000

/** Error code of an entry whose password this browser cannot decrypt. */
export const SECRET_LOST = 'client.secret_lost'

/** Tag of the Background Sync registration. */
export const SYNC_TAG = 'sync-offline-queue'

interface Sending {
  readonly database: OfflineDatabase
  /**
   * Returns the credential for an entry of `owner`. `kept` is the credential stored with the entry. `null` means that
   * the entry must wait until its owner logs in, except for the check of a file's password.
   */
  readonly credentialOf: (owner: string, kept: string | null) => string | null
}

interface Envelope {
  readonly message?: unknown
  readonly error?: { readonly code?: unknown }
}

const textOr = (fallback: string, value: unknown) => (typeof value === 'string' ? value : fallback)

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  let body: unknown = null
  try {
    body = JSON.parse(text)
  } catch {
    // This response came from a gateway, not from our server.
    const status = response.ok ? 502 : response.status
    return { kind: 'answer', status, code: '', message: text.slice(0, 200), retryAfterSeconds: null, body }
  }
  const { message, error } = (body ?? {}) as Envelope
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return {
    kind: 'answer',
    status: response.status,
    code: response.ok ? '' : textOr('', error?.code),
    message: textOr('', message),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
    body,
  }
}

async function ask(
  { database, credentialOf }: Sending,
  entry: QueueEntry,
  { method, hasBody }: { method: string; hasBody: boolean },
): Promise<Answer | null> {
  const opened = await openEntry(database, entry.id)
  if (!opened) return { kind: 'none', message: 'It is there no more.' }
  // Does not send the text without its password, because the text would then be public.
  if (!opened.isWhole)
    return {
      kind: 'answer',
      status: 422,
      code: SECRET_LOST,
      message: '',
      retryAfterSeconds: null,
      body: null,
    }
  const authorization = credentialOf(entry.owner, opened.authorization)
  if (authorization === null && entry.type !== 'verify_file_password') return null
  const headers: Record<string, string> = { 'Idempotency-Key': entry.idempotencyKey }
  if (authorization !== null) headers['Authorization'] = authorization
  const withBody = hasBody && opened.body !== undefined
  if (withBody) headers['Content-Type'] = 'application/json'
  try {
    const response = await fetch(opened.server + entry.endpoint, {
      method,
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(withBody && { body: JSON.stringify(opened.body) }),
    })
    return await readAnswer(response)
  } catch (error) {
    return { kind: 'none', message: String(error) }
  }
}

type Fields = Readonly<Record<string, unknown>>

const momentOf = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : null)

/**
 * Whether a text already has the values of a change. Returns `false` if the change sets a password or PIN, because
 * these cannot be read back.
 */
function hasValuesOf(there: Fields, change: Fields, hasSecret: boolean): boolean {
  const { content, content_type: type, remark, expiresAt, maxViews, newSlug, opening } = change
  return (
    !hasSecret &&
    there['content'] === content &&
    (type === undefined || there['content_type'] === type) &&
    (there['remark'] || null) === (remark || null) &&
    momentOf(there['expires_at']) === momentOf(expiresAt) &&
    (there['max_views'] || null) === (maxViews || null) &&
    (change['clearPassword'] !== true || !there['has_password']) &&
    (opening === undefined || there['opening'] === opening) &&
    (change['pin'] === undefined || there['has_pin'] === (change['pin'] !== null)) &&
    (newSlug === undefined || there['slug'] === newSlug)
  )
}

/**
 * Resolves a conflict as done if the text already has the values of the change. In this case an earlier attempt has
 * succeeded.
 */
async function settle(
  sending: Sending,
  entry: QueueEntry,
  outcome: Outcome & { kind: 'conflict' },
): Promise<Outcome> {
  if (outcome.conflict !== 'changed') return outcome
  const answer = await ask(sending, entry, { method: 'GET', hasBody: false })
  const there = answer?.kind === 'answer' ? (answer.body as { data?: Fields } | null)?.data : undefined
  const row = await sending.database.offlineQueue.get(entry.id)
  const isDone = there && row && hasValuesOf(there, entry.data as Fields, row.secrets !== null)
  return isDone ? { kind: 'done' } : outcome
}

export interface SyncRequest extends Sending {
  /** Whether to retry delayed entries, for example after the browser goes online, and in a manual sync. */
  readonly isFresh: boolean
  readonly onDone?: (entry: QueueEntry, body: unknown) => void
}

/**
 * Sends the queue. If another tab or the worker is sending the queue, waits for the lock and then checks the queue
 * again.
 */
export function syncQueue({ isFresh, onDone, ...sending }: SyncRequest): Promise<ReplayResult> {
  const { database } = sending
  return navigator.locks.request(LOCK, async () => {
    const store = queueStore(database)
    if (isFresh) await revive(store, await listQueue(database))
    return replay({
      store,
      nowMs: () => Date.now(),
      send: (entry) => ask(sending, entry, { method: entry.method, hasBody: true }),
      settle: (entry, outcome) => settle(sending, entry, outcome),
      onDone: async (entry, body) => {
        // If storing the link fails, the share is still in the list of all shares.
        await storeSent(database, entry, body).catch(() => undefined)
        onDone?.(entry, body)
      },
    })
  })
}
