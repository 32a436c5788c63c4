import type { NewEntry } from '@dropleaf/sync-queue'
import { serverAddress } from '../../../lib/server-address.ts'
import { currentOwner } from '../../session/session-owner.ts'
import { offlineDatabase } from '../database.ts'
import { type Operation, operationOf } from './operations.ts'
import { addToQueue, listQueue, unmarkEmptyQueue } from './queue-store.ts'
import { markQueue } from './queue-mark.ts'
import { SYNC_TAG } from './sync.ts'

/** What is known of a change beside its request. */
export interface KeptFacts {
  /** What is changed has a password that the change does not name: told to those who decide on it later. */
  readonly isProtected?: boolean
  /** The suffix of the text, where the request names it otherwise. */
  readonly slug?: string
  /** The waiting change that this one begins from. */
  readonly continues?: number | null
}

/** A call that may be made later. */
export interface WaitingCall {
  readonly method: string
  /** Path below the server's address, query included. */
  readonly endpoint: string
  readonly body: unknown
  readonly idempotencyKey: string
  readonly authorization: string | null
  /** Who asked for it, as `currentOwner` names them: somebody else may be here when the line turns out to be broken. */
  readonly owner: string
  readonly facts: KeptFacts
}

/** Whether a change of the same waits already: the next one must come after it. */
async function isBehindOthers(operation: Operation, owner: string): Promise<boolean> {
  const waiting = await listQueue(offlineDatabase(), owner)
  if (waiting.length === 0) await unmarkEmptyQueue(offlineDatabase())
  return waiting.some(({ subjects }) => subjects.some((subject) => operation.subjects.includes(subject)))
}

/** Some browsers can wake the worker when online again. */
async function askForWakeUp(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  const sync = registration && 'sync' in registration ? registration.sync : undefined
  await (sync as { register(tag: string): Promise<void> } | undefined)?.register(SYNC_TAG)
}

/**
 * Puts a call into the queue.
 * @param isForced also when nothing waits that it must come after.
 * @returns whether it is there.
 * @throws where the browser keeps nothing, or has no room
 */
export async function keepForLater(call: WaitingCall, { isForced }: { isForced: boolean }): Promise<boolean> {
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
    // The credential goes with its person.
    authorization: call.owner === currentOwner() ? call.authorization : null,
  })
  markQueue(true)
  // Not all browsers can; then the page does it.
  await askForWakeUp().catch(() => undefined)
  return true
}
