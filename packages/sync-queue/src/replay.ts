import { type EntryStatus, isOverdue, nextOf, type QueueEntry, serverOf } from './entry.ts'
import { type Answer, failureOf, isTemporary, judge, type Outcome } from './outcome.ts'

/**
 * Maximum number of automatic attempts, including the first, if each fails temporarily. Further attempts start when the
 * user retries or the connection returns.
 */
export const MAX_ATTEMPTS = 3
const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 30_000

/** Store of the entries. Each call is atomic. */
export interface QueueStore {
  all(): Promise<readonly QueueEntry[]>
  /** Changes an entry. Does nothing if the entry does not exist any more. */
  change(id: number, changes: Partial<Omit<QueueEntry, 'id'>>): Promise<void>
  remove(id: number): Promise<void>
}

export interface ReplayHost {
  readonly store: QueueStore
  readonly nowMs: () => number
  /** Sends an entry with its owner's credential. Returns `null` if there is no credential; never throws. */
  readonly send: (entry: QueueEntry) => Promise<Answer | null>
  /** Resolves a conflict if possible. Returns a new outcome, or the same outcome if the conflict remains. */
  readonly settle: (entry: QueueEntry, outcome: Outcome & { kind: 'conflict' }) => Promise<Outcome>
  /**
   * Called before a completed entry is removed. After a crash between this call and the removal, the entry is sent and
   * reported again.
   */
  readonly onDone?: (entry: QueueEntry, body: unknown) => void | Promise<void>
}

export interface ReplayResult {
  readonly done: number
  /** Number of attempts in this run that did not succeed, including entries that now wait for the user. */
  readonly failed: number
  /** Time at which the next attempt is due; `null` if none is scheduled. */
  readonly nextAtMs: number | null
}

const delayAfter = (attempts: number): number =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, attempts - 1))

function changesFor(
  entry: QueueEntry,
  { outcome, answer, nowMs }: { outcome: Exclude<Outcome, { kind: 'done' }>; answer: Answer; nowMs: number },
): Partial<QueueEntry> {
  const attempts = entry.attempts + 1
  const failure = failureOf(answer)
  const base = { attempts, failure, conflict: null }
  switch (outcome.kind) {
    case 'later': {
      const status: EntryStatus = attempts >= MAX_ATTEMPTS ? 'failed' : 'retry'
      return { ...base, status, nextAttemptAtMs: nowMs + (outcome.afterMs ?? delayAfter(attempts)) }
    }
    case 'login':
      return { ...base, status: 'login' }
    case 'conflict':
      return { ...base, status: 'conflict', conflict: outcome.conflict }
    case 'failed':
      return { ...base, status: 'failed' }
  }
}

interface UpdatedText {
  readonly id: string
  readonly updated_at: string
}

function updatedText(body: unknown): UpdatedText | null {
  const data = (body as { data?: Partial<UpdatedText> } | null)?.data
  return typeof data?.id === 'string' && typeof data.updated_at === 'string'
    ? { id: data.id, updated_at: data.updated_at }
    : null
}

/**
 * Adapts the queued changes of a text after an earlier update of the text has succeeded. They get the text's new ID. A
 * change that edits the result of that update also gets the new version.
 */
async function leadOn({ store }: ReplayHost, entry: QueueEntry, body: unknown): Promise<void> {
  const made = entry.type === 'update_paste' ? updatedText(body) : null
  if (!made) return
  for (const other of await store.all()) {
    const isNext =
      other.id > entry.id &&
      other.owner === entry.owner &&
      other.subjects.some((subject) => entry.subjects.includes(subject)) &&
      (other.type === 'update_paste' || other.type === 'delete_paste')
    if (!isNext) continue
    const endpoint = other.endpoint.replace(/[^/]+$/, encodeURIComponent(made.id))
    const data = other.data as { expectedUpdatedAt?: unknown } | undefined
    await store.change(other.id, {
      endpoint,
      ...(other.continues === entry.id && { data: { ...data, expectedUpdatedAt: made.updated_at } }),
    })
  }
}

/**
 * Returns servers to which an entry failed without any response. Nothing is sent to these servers until the user
 * retries or the connection returns.
 */
const serversAway = (entries: readonly QueueEntry[]): Set<string> =>
  new Set(entries.filter(({ status, failure }) => status === 'failed' && failure?.status === 0).map(serverOf))

/**
 * Sends due entries one after another, until none is due. If a server does not respond, its entries wait. Only one
 * replay may run at a time; the caller holds a lock shared by all tabs and the service worker.
 */
export async function replay(host: ReplayHost, signal?: AbortSignal): Promise<ReplayResult> {
  const { store } = host
  let done = 0
  let failed = 0
  const away = serversAway(await store.all())
  for (;;) {
    if (signal?.aborted) return { done, failed, nextAtMs: null }
    const { entry, nextAtMs } = nextOf(await store.all(), host.nowMs(), away)
    if (!entry) return { done, failed, nextAtMs }
    if (isOverdue(entry, host.nowMs())) {
      await store.change(entry.id, { status: 'conflict', conflict: 'overdue', failure: null })
      failed += 1
      continue
    }
    const answer = await host.send(entry)
    if (answer === null) {
      await store.change(entry.id, { status: 'login' })
      failed += 1
      continue
    }
    const judged = judge(entry, answer)
    const outcome = judged.kind === 'conflict' ? await host.settle(entry, judged) : judged
    if (outcome.kind === 'done') {
      await leadOn(host, entry, answer.kind === 'answer' ? answer.body : null)
      await host.onDone?.(entry, answer.kind === 'answer' ? answer.body : null)
      await store.remove(entry.id)
      done += 1
      continue
    }
    failed += 1
    // An entry that was discarded during the attempt is not updated, and does not mark its server as unreachable.
    const isThere = (await store.all()).some(({ id }) => id === entry.id)
    if (isThere && outcome.kind === 'later' && outcome.isLine) away.add(serverOf(entry))
    await store.change(entry.id, changesFor(entry, { outcome, answer, nowMs: host.nowMs() }))
  }
}

/**
 * Makes entries due immediately if they wait for a retry or have failed temporarily. Called when the connection returns
 * or the user retries.
 */
export async function revive(store: QueueStore, entries: readonly QueueEntry[]): Promise<void> {
  for (const entry of entries) {
    if (entry.status === 'retry' || isHeldUp(entry))
      await store.change(entry.id, { status: 'pending', attempts: 0, nextAttemptAtMs: 0 })
  }
}

/** Whether the last attempt of a failed entry failed for a temporary reason. */
export const isHeldUp = ({ status, failure }: QueueEntry): boolean =>
  status === 'failed' && failure !== null && isTemporary(failure)
