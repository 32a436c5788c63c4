import { type EntryStatus, isOverdue, nextOf, type QueueEntry, serverOf } from './entry.ts'
import { type Answer, failureOf, judge, type Outcome } from './outcome.ts'

/** Attempts for what may go better later; then a person, or the return of the line, decides. */
export const MAX_ATTEMPTS = 3
const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 30_000

/** Where the entries are kept. Each call is atomic. */
export interface QueueStore {
  all(): Promise<readonly QueueEntry[]>
  /** Does nothing when the entry is there no more. */
  change(id: number, changes: Partial<Omit<QueueEntry, 'id'>>): Promise<void>
  remove(id: number): Promise<void>
}

export interface ReplayHost {
  readonly store: QueueStore
  readonly nowMs: () => number
  /** Sends an entry with the credential of its owner; `null` without one. Never throws. */
  readonly send: (entry: QueueEntry) => Promise<Answer | null>
  /**
   * What only the host can know of a conflict: that what is there is what was asked for. It may answer `null` for that, or
   * the outcome as it is.
   */
  readonly settle: (entry: QueueEntry, outcome: Outcome & { kind: 'conflict' }) => Promise<Outcome>
  /** Told before the entry goes: after a crash in between it is sent and told of once more. */
  readonly onDone?: (entry: QueueEntry, body: unknown) => void | Promise<void>
}

export interface ReplayResult {
  readonly done: number
  /** Entries that were tried and did not get through in this run. */
  readonly failed: number
  /** When the next attempt is due; `null` when nothing waits by itself. */
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
 * What was changed further was changed from what this entry has made: it goes on from there. Every later change of the same
 * text finds it by its id when its suffix is another one now.
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

/** Servers that were tried often enough for now: until a person asks, or the line is back, nothing is sent there. */
const serversAway = (entries: readonly QueueEntry[]): Set<string> =>
  new Set(entries.filter(({ status, failure }) => status === 'failed' && failure?.status === 0).map(serverOf))

/**
 * Sends what is due, one entry after the other, until nothing is, or no answer comes: what is for the same server waits then.
 * To be run by one at a time: its caller holds a lock that all tabs and the worker share.
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
    // Nor is there an answer for what was given up meanwhile.
    const isThere = (await store.all()).some(({ id }) => id === entry.id)
    if (isThere && outcome.kind === 'later' && outcome.isLine) away.add(serverOf(entry))
    await store.change(entry.id, changesFor(entry, { outcome, answer, nowMs: host.nowMs() }))
  }
}

/** Gives what the line held up another chance, at once: it is back, or somebody asks. Choices stay for their person. */
export async function revive(store: QueueStore, entries: readonly QueueEntry[]): Promise<void> {
  for (const entry of entries) {
    if (entry.status === 'retry' || isHeldUp(entry))
      await store.change(entry.id, { status: 'pending', attempts: 0, nextAttemptAtMs: 0 })
  }
}

/** Whether all attempts ended with something that passes: no answer, or that of a server which cannot now. */
export const isHeldUp = ({ status, failure }: QueueEntry): boolean =>
  status === 'failed' &&
  failure !== null &&
  (failure.status === 0 || failure.status >= 500 || failure.status === 429)
