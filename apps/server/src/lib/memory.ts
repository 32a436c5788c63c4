import type { Readable } from 'node:stream'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

interface CollectOptions {
  readonly type: 'major' | 'minor'
  readonly execution: 'sync'
  readonly flavor?: 'last-resort'
}

let collect: ((options: CollectOptions) => void) | undefined

/** V8's collector; asking for it is an option that may be set while running. */
function collectGarbage(options: CollectOptions): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as (options: CollectOptions) => void
  }
  collect(options)
}

/**
 * So much more than what lives V8 takes before it collects the whole heap. By itself it takes little more than a small heap
 * has, and counts the buffers outside: a body of 1 GiB that passes made it collect 30 to 40 times, for half of the processor
 * time of the transfer.
 */
const HEAP_GROWS_PERCENT = 100

/**
 * Gives back the memory that starting took: loading modules leaves the heap twice as large as what lives in it, and V8
 * would keep it so. Takes about 50 ms.
 */
export function returnStartupMemory(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWS_PERCENT}`)
  collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

const WATCH_EVERY_MS = 10
const GARBAGE_LIMIT_BYTES = 4 * 1024 * 1024

let transfers = 0
let watch: NodeJS.Timeout | undefined
/** What was there after the last sweep: what lies there from before a transfer is garbage, too. */
let floorBytes = Infinity

const externalBytes = () => getHeapStatistics().external_memory

function reclaimBuffers(): void {
  const bytes = externalBytes()
  floorBytes = Math.min(floorBytes, bytes)
  if (bytes - floorBytes < GARBAGE_LIMIT_BYTES) return
  collectGarbage({ type: 'minor', execution: 'sync' })
  floorBytes = externalBytes()
}

/**
 * Keeps the memory of a transfer flat. Every chunk that passes leaves a buffer outside the heap, which V8 collects only
 * after 64 MB of them; while streams are passing, the young generation is swept after 4 MB, which takes under a millisecond. Memory
 * that is used again soon is still in the caches of the processor, too.
 */
export function duringTransfer(stream: Readable): void {
  beginTransfer()
  stream.once('close', endTransfer)
}

/** The same while `work` runs, for bytes that a storage moves by itself. */
export async function whileTransferring<T>(work: () => Promise<T>): Promise<T> {
  beginTransfer()
  try {
    return await work()
  } finally {
    endTransfer()
  }
}

function beginTransfer(): void {
  transfers += 1
  if (watch) return
  watch = setInterval(reclaimBuffers, WATCH_EVERY_MS)
  watch.unref()
}

function endTransfer(): void {
  transfers -= 1
  if (transfers > 0) return
  clearInterval(watch)
  watch = undefined
}

/** Less sweeps so often that bodies on their way count as old; of more V8 collects the whole heap first. */
const FLEETING_LIMIT_BYTES = 8 * 1024 * 1024

let fleetingBytes = 0

/**
 * Keeps the memory of long bodies flat that are made at once and sent at once, which takes too short a time for
 * {@link duringTransfer}: what they leave is swept in the next turn, each time that there are 8 MB of it. A body of one buffer needs
 * none of that: V8 sweeps often enough for those.
 * @param bytes of all buffers that the body took
 */
export function noteFleeting(bytes: number): void {
  fleetingBytes += bytes
  if (fleetingBytes < FLEETING_LIMIT_BYTES) return
  fleetingBytes = 0
  setImmediate(() => collectGarbage({ type: 'minor', execution: 'sync' }))
}
