import { isHeldUp, isStuck, type QueueEntry } from '@dropleaf/sync-queue'
import { storedAuthorization } from '../../session/credentials.ts'
import { NOBODY } from '../../session/data-owner.ts'
import { currentOwner } from '../../session/session-owner.ts'
import { onSessionEnd, subscribeSession } from '../../session/session.ts'
import { offlineDatabase } from '../database.ts'
import { isQueueMarked, subscribeQueueMark } from './queue-mark.ts'
import { forgetCredentials, listQueue, unmarkEmptyQueue, wakeOwner } from './queue-store.ts'
import { syncQueue } from './sync.ts'

/** Maximum time that a manual sync waits. The sync itself continues after this time. */
const MANUAL_TIMEOUT_MS = 5000
const SOON_MS = 1000
/** Interval between attempts while the browser is online but the server is unreachable. */
const LOOK_AGAIN_MS = 30_000

/** Result of one run, for the entries of the current user. */
export interface SyncReport {
  readonly done: readonly QueueEntry[]
  /** Number of entries that newly require a user decision. Automatic retries are not counted. */
  readonly failed: number
}

type SyncListener = (report: SyncReport) => void

/**
 * Returns the current credential of the owner and ignores the stored one. The stored credential can outlive a logout
 * if a page closes before removing it. Only runs without a page use the stored credential.
 */
const credentialOf = (owner: string): string | null =>
  owner === currentOwner() ? storedAuthorization() : null

const needsPerson = (entry: QueueEntry) => isStuck(entry) && !isHeldUp(entry)

let timer: ReturnType<typeof setTimeout> | undefined
let running: Promise<SyncReport> | null = null
const listeners = new Set<SyncListener>()

/**
 * Calls the listener after each run that has sent an entry of the current user, or after which such an entry newly
 * requires a decision.
 */
export function onSynced(listener: SyncListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

async function run(isFresh: boolean): Promise<SyncReport> {
  clearTimeout(timer)
  const database = offlineDatabase()
  const done: QueueEntry[] = []
  const here = currentOwner()
  if (isFresh && here !== NOBODY) await wakeOwner(database, here)
  const before = new Set((await listQueue(database)).filter(needsPerson).map(({ id }) => id))
  const result = await syncQueue({
    database,
    credentialOf,
    isFresh,
    onDone: (entry) => void done.push(entry),
  })
  const left = await listQueue(database)
  if (left.length === 0) await unmarkEmptyQueue(database)
  const isAnyHeldUp = left.some(isHeldUp)
  const isSoon = result.nextAtMs !== null
  const delayMs = isSoon ? result.nextAtMs - Date.now() : isAnyHeldUp ? LOOK_AGAIN_MS : null
  if (delayMs !== null && navigator.onLine) timer = setTimeout(() => void sync(!isSoon), Math.max(0, delayMs))
  const owner = currentOwner()
  const failed = left.filter((entry) => entry.owner === owner && needsPerson(entry) && !before.has(entry.id))
  const report = { done: done.filter((entry) => entry.owner === owner), failed: failed.length }
  if (report.done.length > 0 || report.failed > 0) for (const tell of listeners) tell(report)
  return report
}

/** Sends the queue. If a run is in progress, first waits for its end. Concurrent callers share the next run. */
async function sync(isFresh: boolean): Promise<SyncReport> {
  if (running) await running.catch(() => undefined)
  running ??= run(isFresh).finally(() => (running = null))
  return running
}

/**
 * Starts a manual sync.
 * @throws {DOMException} `TimeoutError` after the timeout; the sync continues
 * @throws if the browser's storage is not available
 */
export async function syncNow(): Promise<SyncReport> {
  const limit = AbortSignal.timeout(MANUAL_TIMEOUT_MS)
  const timeout = new Promise<never>((_resolve, reject) => {
    limit.addEventListener('abort', () => reject(limit.reason as DOMException), { once: true })
  })
  return Promise.race([sync(true), timeout])
}

/**
 * Sends the queue while the page is open: at the start, when the browser goes online, when the page becomes visible,
 * after a login, when a page adds an entry, and when the service worker asks. Removes the stored credentials on logout.
 */
export function startSyncing(): void {
  const look = (isFresh: boolean) => {
    if (isQueueMarked() && navigator.onLine) sync(isFresh).catch(reportError)
  }
  window.addEventListener('online', () => look(true))
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') look(true)
  })
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<{ type?: unknown }>) => {
    if (data?.type === 'SYNC_QUEUE') look(true)
  })
  let owner = currentOwner()
  subscribeSession(() => {
    const now = currentOwner()
    if (now === owner) return
    owner = now
    if (now !== NOBODY) look(true)
  })
  let last = currentOwner()
  subscribeSession(() => {
    const now = currentOwner()
    if (now !== NOBODY) last = now
  })
  onSessionEnd((reason) => {
    if (reason === 'logout' && isQueueMarked()) forgetCredentials(offlineDatabase(), last).catch(reportError)
  })
  // This page or another one has added an entry. The server might be reachable again.
  subscribeQueueMark(() => {
    if (isQueueMarked()) setTimeout(() => look(false), SOON_MS)
  })
  look(true)
}
