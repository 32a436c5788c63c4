import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
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
}

export interface StoredFile {
  readonly stats: FileVersion
  /** Whether it has its name. False when the name's folder is not there, or is reached through a link. */
  readonly isShown: boolean
}

export interface Order {
  readonly id: number
  readonly file: SmallFile
}

export type Answer = { readonly id: number } & (
  | { readonly stored: StoredFile }
  | { readonly failure: { readonly code: string | undefined; readonly message: string } }
)

/**
 * A file waits for the medium twice; those that come meanwhile go to other threads, and share a commit of the journal. More than
 * there are processors write no faster, and each takes 11 MB.
 */
const THREADS_MAX = Math.max(2, Math.min(availableParallelism(), 4))
/** Without an order for so long, a thread ends. */
const IDLE_MS = 60_000
/** The same for all but one of them: each has 11 MB, and what comes one by one needs no other. */
const SPARE_IDLE_MS = 2000

type Waiting = PromiseWithResolvers<StoredFile>

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, Waiting>
  idle: NodeJS.Timeout | undefined
}

const threads: Thread[] = []
let lastId = 0

function drop(thread: Thread): void {
  const at = threads.indexOf(thread)
  if (at !== -1) threads.splice(at, 1)
}

function startThread(): Thread {
  const worker = new Worker(new URL('./small-files.worker.ts', import.meta.url))
  const waiting = new Map<number, Waiting>()
  const thread: Thread = { worker, waiting, idle: undefined }
  worker.on('message', (answer: Answer) => {
    const order = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('stored' in answer) order?.resolve(answer.stored)
    else order?.reject(Object.assign(new Error(answer.failure.message), { code: answer.failure.code }))
    if (waiting.size === 0) rest(thread)
  })
  const fail = (error: Error) => {
    drop(thread)
    for (const order of waiting.values()) order.reject(error)
    waiting.clear()
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The thread that stores small files ended.')))
  threads.push(thread)
  return thread
}

/** Keeps nobody from ending the process, and ends itself after a while. */
function rest(thread: Thread): void {
  const idleMs = thread === threads[0] ? IDLE_MS : SPARE_IDLE_MS
  thread.worker.unref()
  thread.idle = setTimeout(() => {
    drop(thread)
    void thread.worker.terminate()
  }, idleMs).unref()
}

/** The first that rests, so that others can end; a new one while there may be more; else the one with the fewest orders. */
function threadForNext(): Thread {
  const resting = threads.find(({ waiting }) => waiting.size === 0)
  if (resting) return resting
  if (threads.length < THREADS_MAX) return startThread()
  return threads.reduce((best, other) => (other.waiting.size < best.waiting.size ? other : best))
}

/**
 * Writes a small file, syncs it if it is to be, and gives it its name, in one go in a thread of its own: each step of its own would cost
 * this one more than all of them there.
 * @throws system errors, as `node:fs` does
 */
export function storeSmallFile(file: SmallFile): Promise<StoredFile> {
  const { worker, waiting, idle } = threadForNext()
  clearTimeout(idle)
  worker.ref()
  const order = Promise.withResolvers<StoredFile>()
  lastId += 1
  waiting.set(lastId, order)
  // What is sent takes the memory around it along, which others may have bytes in.
  const bytes = new Uint8Array(file.bytes)
  worker.postMessage({ id: lastId, file: { ...file, bytes } } satisfies Order, [bytes.buffer])
  return order.promise
}
