import { type Bytes, type EncryptingState, type PartAttempt, SealError, type Sealed } from '@dropleaf/seal'
import { UploadError } from '@dropleaf/uploader'
import { ApiError } from '../../../lib/api-error.ts'
import type { PartReply, PartRequest } from './part-service.ts'

const WORKERS = 2
const WORKERS_ON_LARGE_DEVICES = 3
const LARGE_DEVICE_CORES = 4
/** A worker that has encrypted this much is replaced, because terminating a worker frees its memory at once. */
const WORN_BYTES = 16 * 1024 ** 2

const workerCount = () =>
  navigator.hardwareConcurrency >= LARGE_DEVICE_CORES ? WORKERS_ON_LARGE_DEVICES : WORKERS

interface Job {
  readonly resolve: (done: SealedPart) => void
  readonly reject: (error: unknown) => void
}

export interface SealedPart {
  readonly bytes: Sealed<Bytes>
  readonly attempts: readonly PartAttempt[]
}

export interface ObjectToSeal {
  readonly files: readonly Blob[]
  readonly state: EncryptingState
}

/** Converts errors of the file to upload errors, because the interface has texts for upload errors. */
function errorOf(code: Extract<PartReply, { code: unknown }>['code']): Error {
  if (code === 'source.changed') return new UploadError('upload.source_changed', new SealError(code))
  if (code === null || code === 'source.unreadable') return new UploadError('upload.source_unreadable')
  return new SealError(code)
}

class PartWorker {
  readonly #worker: Worker
  readonly #jobs = new Map<number, Job>()
  readonly #opened = new Set<string>()
  #lastJob = 0
  #sealedBytes = 0
  isBroken = false

  constructor() {
    this.#worker = new Worker(new URL('./part.worker.ts', import.meta.url), { type: 'module' })
    this.#worker.addEventListener('message', ({ data }: MessageEvent<PartReply>) => this.#onReply(data))
    this.#worker.addEventListener('error', () => this.#break())
  }

  #onReply(reply: PartReply): void {
    const job = this.#jobs.get(reply.job)
    this.#jobs.delete(reply.job)
    if (this.isWorn && this.#jobs.size === 0) this.#worker.terminate()
    if ('code' in reply) job?.reject(errorOf(reply.code))
    else job?.resolve(reply)
  }

  /** Whether the worker gets no further parts. */
  get isWorn(): boolean {
    return this.#sealedBytes >= WORN_BYTES
  }

  /**
   * Called if the worker fails, usually because its script could not be loaded. Reports a network error, because such
   * a failure is temporary.
   */
  #break(): void {
    this.isBroken = true
    this.#end('The worker that encrypts did not start.')
  }

  #end(message: string): void {
    this.#worker.terminate()
    const error = new ApiError({ kind: 'network', code: 'client.network', message })
    for (const { reject } of this.#jobs.values()) reject(error)
    this.#jobs.clear()
  }

  #tell(request: PartRequest): void {
    this.#worker.postMessage(request, [])
  }

  seal(id: string, object: ObjectToSeal, range: { firstByte: number; endByte: number }): Promise<SealedPart> {
    if (!this.#opened.has(id)) this.#tell({ kind: 'open', id, ...object })
    this.#opened.add(id)
    this.#lastJob += 1
    this.#sealedBytes += range.endByte - range.firstByte
    const job = this.#lastJob
    return new Promise((resolve, reject) => {
      this.#jobs.set(job, { resolve, reject })
      this.#tell({ kind: 'slice', id, job, ...range })
    })
  }

  close(id: string): void {
    if (this.#opened.delete(id)) this.#tell({ kind: 'close', id })
  }

  stop(): void {
    this.#end('The worker that encrypts was stopped.')
  }
}

let workers: (PartWorker | undefined)[] = []
const inUse = new Set<string>()

/**
 * Encrypts one part in a worker. Further attempts of the part use the same worker. If that worker was replaced, its
 * replacement gets the state of the object with the earlier attempts.
 * @throws {UploadError} `upload.source_changed`, `upload.source_unreadable`
 * @throws {SealError | ApiError}
 */
export function sealInWorker(
  id: string,
  object: ObjectToSeal,
  { part, ...range }: { part: number; firstByte: number; endByte: number },
): Promise<SealedPart> {
  inUse.add(id)
  const index = part % workerCount()
  let worker = workers[index]
  if (!worker || worker.isBroken || worker.isWorn) {
    worker = new PartWorker()
    workers[index] = worker
  }
  return worker.seal(id, object, range)
}

/** Call when all parts of an object are encrypted. When no object is left, all workers end. */
export function closeInWorkers(id: string): void {
  if (!inUse.delete(id)) return
  for (const worker of workers) worker?.close(id)
  if (inUse.size > 0) return
  for (const worker of workers) worker?.stop()
  workers = []
}
