import type { NewEntry } from '@dropleaf/sync-queue'
import { serverAddress } from '../../../lib/server-address.ts'
import { currentOwner } from '../../session/session-owner.ts'
import { offlineDatabase } from '../database.ts'
import { type Operation, operationOf } from './operations.ts'
import { addToQueue, listQueue, unmarkEmptyQueue } from './queue-store.ts'
import { markQueue } from './queue-mark.ts'
import { SYNC_TAG } from './sync.ts'

/** Facts about a change that are not part of its request. */
export interface QueuedFacts {
  /**
   * Whether the target has a password that the change does not contain. In a conflict, the change can then not become a
   * new text, because that text would have no password.
   */
  readonly isProtected?: boolean
  /** Slug of the text, if the request identifies the text in another way. */
  readonly slug?: string
  /** ID of the pending change that this change is based on. */
  readonly continues?: number | null
}

/** A call that can be queued. */
export interface WaitingCall {
  readonly method: string
  /** Path below the server's URL, with the query. */
  readonly endpoint: string
  readonly body: unknown
  readonly idempotencyKey: string
  readonly authorization: string | null
  /** User from `currentOwner` at the start of the call. Another user can log in before the call is queued. */
  readonly owner: string
  readonly facts: QueuedFacts
}

/** Whether a change of the same subject is pending. The pending change must be sent first. */
async function isBehindOthers(operation: Operation, owner: string): Promise<boolean> {
  const waiting = await listQueue(offlineDatabase(), owner)
  if (waiting.length === 0) await unmarkEmptyQueue(offlineDatabase())
  return waiting.some(({ subjects }) => subjects.some((subject) => operation.subjects.includes(subject)))
}

/** Requests a Background Sync if the browser supports this. */
async function askForWakeUp(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  const sync = registration && 'sync' in registration ? registration.sync : undefined
  await (sync as { register(tag: string): Promise<void> } | undefined)?.register(SYNC_TAG)
}

/**
 * Adds a call to the queue.
 * @param isForced queues the call even if no change of the same subject is pending
 * @returns whether the call was queued
 * @throws if the browser's storage is full or not available
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
    // Stores the credential only if its user is still logged in.
    authorization: call.owner === currentOwner() ? call.authorization : null,
  })
  markQueue(true)
  // If Background Sync is not supported, the page sends the queue.
  await askForWakeUp().catch(() => undefined)
  return true
}
