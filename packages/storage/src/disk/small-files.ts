import { rename, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { syncFileSystem } from './journal/file-system.ts'
import type { JournalPlace } from './journal/journal.ts'
import { setJournalAside } from './journal/set-aside.ts'
import type { FileVersion } from './object-stat.ts'

/** Bodies up to this are gathered, and written by one order. */
export const SMALL_MAX_BYTES = 256 * 1024

export interface SmallFile {
  /** A new file. It stays when it is not shown; when the order fails, it is removed. */
  readonly temporary: string
  readonly bytes: Uint8Array
  /** The name to show it under; `null` for none. */
  readonly target: string | null
  /** Whether nothing may have that name yet; otherwise it goes over whatever file has it. */
  readonly isNew: boolean
  /** Whether the file and its name are brought to the medium. */
  readonly syncs: boolean
  /** Where it may be noted instead, and be brought to its place on the medium later. */
  readonly journal: JournalPlace | null
}

export interface StoredFile {
  readonly stats: FileVersion
  /** Whether it has its name. False when the name's folder is not there, or is reached through a link. */
  readonly isShown: boolean
}

export interface StoreOrder {
  readonly id: number
  readonly kind: 'store'
  readonly file: SmallFile
}

interface SettleOrder {
  readonly id: number
  readonly kind: 'settle'
  /** Of the journal. */
  readonly folder: string
  readonly path: string
  /** Another name for it: it gets that before another file is noted. */
  readonly newPath: string | null
}

interface CloseOrder {
  readonly id: number
  readonly kind: 'close'
  readonly folder: string
}

export type Order = StoreOrder | SettleOrder | CloseOrder

export interface Failure {
  readonly code: string | undefined
  readonly message: string
}

type Outcome = { readonly result: StoredFile | boolean } | { readonly failure: Failure }

/** What becomes of an order, or that a journal is empty, after all orders up to one. */
export type Answer =
  | ({ readonly id: number } & Outcome)
  | { readonly emptied: string; readonly lastId: number }

/**
 * A file waits for the medium twice; those that come meanwhile go to other threads, and share a commit of the file system's journal.
 * More than there are processors write no faster, and each takes 11 MB.
 */
const THREADS_MAX = Math.max(2, Math.min(availableParallelism(), 4))
/** Without an order for so long, a thread ends. */
const IDLE_MS = 60_000
/** The same for all but one of them: each has 11 MB, and what comes one by one needs no other. */
const SPARE_IDLE_MS = 2000

type Waiting = PromiseWithResolvers<unknown>

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, Waiting>
  idle: NodeJS.Timeout | undefined
}

/** Each writes for itself. */
const threads: Thread[] = []
/** The one that has the journals, all of them. */
const keepers: Thread[] = []

interface JournalState {
  /** Whether it has files open here. */
  isUsed: boolean
  /** The last order that may have filled it; `null` while it is known to be empty. */
  filledBy: number | null
  /** Until it ends, nothing is noted. */
  pause: Promise<void> | null
  /** Its thread broke down, and what it has could not be brought to the medium yet: nothing is noted, and nothing of it changed. */
  isBroken: boolean
}

/** By their folders. */
const journals = new Map<string, JournalState>()

function stateOf(folder: string): JournalState {
  const known = journals.get(folder)
  if (known) return known
  const state: JournalState = { isUsed: false, filledBy: null, pause: null, isBroken: false }
  journals.set(folder, state)
  return state
}

let lastId = 0

function take(thread: Thread, answer: Answer): void {
  if ('emptied' in answer) {
    const state = stateOf(answer.emptied)
    if (state.filledBy !== null && state.filledBy <= answer.lastId) state.filledBy = null
    return
  }
  const order = thread.waiting.get(answer.id)
  thread.waiting.delete(answer.id)
  if (!('failure' in answer)) order?.resolve(answer.result)
  else order?.reject(Object.assign(new Error(answer.failure.message), { code: answer.failure.code }))
}

function startThread(group: Thread[]): Thread {
  const worker = new Worker(new URL('./small-files.worker.ts', import.meta.url))
  const waiting = new Map<number, Waiting>()
  const thread: Thread = { worker, waiting, idle: undefined }
  worker.on('message', (answers: readonly Answer[]) => {
    for (const answer of answers) take(thread, answer)
    if (waiting.size === 0) rest(thread, group)
  })
  const fail = (error: Error) => {
    const isKeeper = keepers.includes(thread)
    drop(thread, group)
    if (isKeeper) for (const [folder, { isUsed }] of journals) if (isUsed) void abandonJournal(folder)
    for (const order of waiting.values()) order.reject(error)
    waiting.clear()
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The thread that stores small files ended.')))
  group.push(thread)
  return thread
}

function drop(thread: Thread, group: Thread[]): void {
  const at = group.indexOf(thread)
  if (at !== -1) group.splice(at, 1)
}

const isAnyFilled = () => [...journals.values()].some(({ filledBy }) => filledBy !== null)

/** Keeps nobody from ending the process, and ends itself after a while. */
function rest(thread: Thread, group: Thread[]): void {
  const idleMs = thread === group[0] ? IDLE_MS : SPARE_IDLE_MS
  thread.worker.unref()
  clearTimeout(thread.idle)
  thread.idle = setTimeout(() => {
    // What could not be brought to the medium yet is tried again.
    if (group === keepers && isAnyFilled()) return rest(thread, group)
    drop(thread, group)
    void thread.worker.terminate()
  }, idleMs).unref()
}

/** The first that rests, so that others can end; a new one while there may be more; else the one with the fewest orders. */
function threadForNext(): Thread {
  const resting = threads.find(({ waiting }) => waiting.size === 0)
  if (resting) return resting
  if (threads.length < THREADS_MAX) return startThread(threads)
  return threads.reduce((best, other) => (other.waiting.size < best.waiting.size ? other : best))
}

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never

function give<T>(
  { worker, waiting, idle }: Thread,
  order: Unnumbered<Order>,
  transfer: readonly ArrayBuffer[],
): Promise<T> {
  clearTimeout(idle)
  worker.ref()
  const done = Promise.withResolvers<T>()
  lastId += 1
  waiting.set(lastId, done as Waiting)
  worker.postMessage({ ...order, id: lastId } satisfies Order, transfer)
  return done.promise
}

const keeper = (): Thread => keepers[0] ?? startThread(keepers)

/**
 * Writes a small file, syncs it if it is to be, and gives it its name, in one go in a thread of its own: each step of its own would cost
 * this one more than all of them there.
 * @throws system errors, as `node:fs` does
 */
export function storeSmallFile(order: SmallFile): Promise<StoredFile> {
  const state = order.journal && stateOf(order.journal.folder)
  const isNoted = state !== null && !state.pause && !state.isBroken
  const thread = isNoted ? keeper() : threadForNext()
  // What is sent takes the memory around it along, which others may have bytes in.
  const bytes = new Uint8Array(order.bytes)
  const file = { ...order, bytes, journal: isNoted ? order.journal : null }
  const stored = give<StoredFile>(thread, { kind: 'store', file }, [bytes.buffer])
  if (isNoted) {
    state.isUsed = true
    state.filledBy = lastId
  }
  return stored
}

/** @throws {Error} while a journal has what could come back after a change, and cannot be told of it */
async function stateWhenReady(folder: string): Promise<JournalState> {
  const state = stateOf(folder)
  await state.pause
  if (state.isBroken) await (state.pause ?? abandonJournal(folder))
  if (state.isBroken) throw new Error('What was noted of small files cannot be brought to the medium.')
  return state
}

/**
 * To be called before a path is changed by other ways than {@link storeSmallFile}, by who has it to himself: the journal says no
 * more of it by then.
 * @throws system errors
 */
export async function settleSmallFiles(journal: JournalPlace | null, path: string): Promise<void> {
  if (!journal) return
  const { filledBy } = await stateWhenReady(journal.folder)
  if (filledBy === null) return
  await give(keeper(), { kind: 'settle', folder: journal.folder, path, newPath: null }, [])
}

/**
 * Gives a folder another name. With a journal its thread does, between two files: what it has noted of them is on the medium by then.
 * @throws system errors
 */
export async function renameFolder(journal: JournalPlace | null, from: string, to: string): Promise<void> {
  if (!journal) return rename(from, to)
  await stateWhenReady(journal.folder)
  await give(keeper(), { kind: 'settle', folder: journal.folder, path: from, newPath: to }, [])
}

async function pauseFor(state: JournalState, work: () => Promise<unknown>): Promise<void> {
  const done = work().then(() => undefined)
  state.pause = done
  try {
    await done
  } finally {
    if (state.pause === done) state.pause = null
  }
}

/**
 * Lets a journal be read that a process before has left. What this process has in use is no leftover.
 * @throws what `recover` does
 */
export async function recoverLeftover(folder: string, recover: () => Promise<unknown>): Promise<void> {
  const state = stateOf(folder)
  if (!state.isUsed) await (state.pause ?? pauseFor(state, recover))
}

/** Brings what a journal has to the medium, and removes it, unless others go on to fill it. */
export async function closeJournal(journal: JournalPlace | null): Promise<void> {
  if (!journal) return
  const { folder } = journal
  const state = stateOf(folder)
  if (!state.isUsed || state.isBroken) return
  const closing = give<boolean>(keeper(), { kind: 'close', folder }, [])
  const id = lastId
  const isClosed = await closing
  if (!isClosed || (state.filledBy ?? 0) > id) return
  state.isUsed = false
  state.filledBy = null
}

/** What a thread noted that broke down is brought to the medium with everything else; until then files go there by themselves. */
async function abandonJournal(folder: string): Promise<void> {
  const state = stateOf(folder)
  state.filledBy = null
  await pauseFor(state, async () => {
    try {
      if (!(await syncFileSystem(dirname(folder)))) throw new Error('The file system cannot be synced.')
      const aside = await setJournalAside(folder)
      state.isUsed = false
      state.isBroken = false
      if (aside !== null) await rm(aside, { recursive: true, force: true })
    } catch {
      // What is aside already is left to the sweep.
      state.isBroken = state.isUsed
    }
  })
}
