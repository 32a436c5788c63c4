import type { NewEntry } from '@dropleaf/sync-queue'
import { serverAddress } from '../../../lib/server-address.ts'
import { currentOwner } from '../../session/session-owner.ts'
import { offlineDatabase } from '../database.ts'
import { type Operation, operationOf } from './operations.ts'
import { addToQueue, listQueue, unmarkEmptyQueue } from './queue-store.ts'
import { markQueue } from './queue-mark.ts'
import { SYNC_TAG } from './sync.ts'

/** Facts about a change that its request does not contain. */
export interface QueuedFacts {
  /** The target has a password that the change does not contain: shown to the user in a conflict. */
  readonly isProtected?: boolean
  /** The slug of the text, if the request names it differently. */
  readonly slug?: string
  /** The pending change that this one is based on. */
  readonly continues?: number | null
}

/** A call that may be queued. */
export interface WaitingCall {
  readonly method: string
  /** Path below the server's address, with the query. */
  readonly endpoint: string
  readonly body: unknown
  readonly idempotencyKey: string
  readonly authorization: string | null
  /** The user, from `currentOwner`: another one may be logged in when the connection fails. */
  readonly owner: string
  readonly facts: QueuedFacts
}

/** Whether a change of the same subject is pending: the next one must follow it. */
async function isBehindOthers(operation: Operation, owner: string): Promise<boolean> {
  const waiting = await listQueue(offlineDatabase(), owner)
  if (waiting.length === 0) await unmarkEmptyQueue(offlineDatabase())
  return waiting.some(({ subjects }) => subjects.some((subject) => operation.subjects.includes(subject)))
}

/** Background Sync, where supported. */
async function askForWakeUp(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  const sync = registration && 'sync' in registration ? registration.sync : undefined
  await (sync as { register(tag: string): Promise<void> } | undefined)?.register(SYNC_TAG)
}

/**
 * Adds a call to the queue.
 * @param isForced even if no earlier change is pending.
 * @returns whether it is queued.
 * @throws if the browser stores nothing, or its storage is full
 */
export async function queueCall(call: WaitingCall, { isForced }: { isForced: boolean }): Promise<boolean> {
  const operation = operationOf(call.method, call.endpoint.split('?')[0] ?? '', call.body)
  if (!operation || !(isForced || (await isBehindOthers(operation, call.owner)))) return false
  const { isProtected = false, slug, continues = null } = call.facts
  const entry: NewEntry = {
    owner: call.owner,
    type: operation.type,
    subjects:
      slug === undefined ? operation.subjects : [...new Set([...operation.subjects, `paste:${slug}`])],
    continues,
    method: call.method as NewEntry['method'],
    endpoint: call.endpoint,
    data: call.body,
    isProtected,
    idempotencyKey: call.idempotencyKey,
    status: 'pending',
    conflict: null,
    failure: null,
    attempts: 0,
    nextAttemptAtMs: 0,
    timestamp: Date.now(),
  }
  await addToQueue(offlineDatabase(), entry, {
    server: serverAddress(),
    // The credential belongs to its user.
    authorization: call.owner === currentOwner() ? call.authorization : null,
  })
  markQueue(true)
  // Without Background Sync the page sends the queue.
  await askForWakeUp().catch(() => undefined)
  return true
}
