import { asError, type Clock, sleep } from './clock.ts'
import { UploadError, type UploadErrorCode } from './errors.ts'
import type { Lanes } from './lanes.ts'
import { MULTIPART_FROM_BYTES, PART_RETRIES, PART_TIMEOUT_MS, RETRY_DELAY_MS } from './limits.ts'
import { Parts } from './parts.ts'
import { createRateMeter, NO_RATE } from './rate.ts'
import type { Begun, ByteSource, Transport } from './transport.ts'
import { UploadFile } from './upload-file.ts'
import type { UploadSettings, UploadSnapshot, UploadStage, UploadState } from './upload-state.ts'

const MAX_FINISH_ROUNDS = 2

/**
 * Uploads one file. A failed transfer throws nothing, but sets the state `failed` with an error. Starting or resuming
 * begins a new run; late responses to an earlier run are ignored.
 */
export class Upload<Body, Result> {
  readonly #transport: Transport<Body, Result>
  readonly #clock: Clock
  readonly #lanes: Lanes
  readonly #sizeBytes: number
  readonly #parts = new Parts()
  readonly #listeners = new Set<() => void>()
  readonly #file: UploadFile<Body>
  #state: UploadState
  #stage: UploadStage | null = null
  #id: string | null
  /** Whether to request the list of received parts before sending. */
  #mustLook: boolean
  #savedBytes: number
  #run: AbortController | null = null
  #refreshing: Promise<void> | null = null
  #meter = createRateMeter(0)
  #error: UploadError | null = null
  #result: Result | null = null

  constructor({ transport, clock, lanes, source, saved }: UploadSettings<Body, Result>) {
    this.#transport = transport
    this.#clock = clock
    this.#lanes = lanes
    this.#file = new UploadFile(source, saved?.fingerprint ?? null)
    this.#sizeBytes = source?.sizeBytes ?? saved?.sizeBytes ?? 0
    this.#state = saved ? 'paused' : 'idle'
    this.#id = saved?.id ?? null
    this.#mustLook = saved !== undefined
    this.#savedBytes = saved?.sentBytes ?? 0
  }

  get state(): UploadState {
    return this.#state
  }

  snapshot(): UploadSnapshot<Result> {
    const isRunning = this.#state === 'uploading'
    const parts = this.#parts.list
    const sentBytes = parts.length === 0 ? this.#savedBytes : this.#parts.sentBytes
    const isAllSent = this.#stage === 'uploading' && sentBytes === this.#sizeBytes && sentBytes > 0
    return {
      state: this.#state,
      stage: isAllSent ? 'processing' : this.#stage,
      id: this.#id,
      sizeBytes: this.#sizeBytes,
      sentBytes,
      parts,
      hasSource: this.#file.source !== null,
      fingerprint: this.#file.fingerprint,
      error: this.#error,
      result: this.#result,
      ...(isRunning ? this.#meter.read(this.#clock.nowMs()) : NO_RATE),
    }
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Sets the bytes of an upload that was started earlier. @throws {UploadError} `upload.source_changed` */
  provide(source: ByteSource<Body>): void {
    if (source.sizeBytes !== this.#sizeBytes) throw new UploadError('upload.source_changed')
    this.#file.provide(source)
    this.#tell()
  }

  /** @throws {UploadError} `upload.source_missing`; `upload.not_resumable` if the upload has already started */
  start(): void {
    if (this.#state !== 'idle') throw new UploadError('upload.not_resumable')
    this.#go()
  }

  /** @throws {UploadError} `upload.not_resumable` unless the upload is paused or failed; `upload.source_missing` */
  resume(): void {
    if (this.#state !== 'paused' && this.#state !== 'failed') throw new UploadError('upload.not_resumable')
    this.#go()
  }

  /** Aborts running requests, and keeps the received parts. Does nothing unless the upload is idle or uploading. */
  pause(): void {
    if (this.#state !== 'uploading' && this.#state !== 'idle') return
    this.#leave('paused')
  }

  /**
   * Aborts the upload here and on the server. Resolves after the server has responded. If the request to the server
   * fails, the server's sweep deletes the upload.
   */
  async abort(): Promise<void> {
    if (this.#state === 'completed' || this.#state === 'aborted') return
    this.#leave('aborted')
    await this.#discard()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }

  #leave(state: UploadState): void {
    this.#state = state
    this.#stage = state === 'completed' ? 'completed' : null
    const run = this.#run
    this.#run = null
    this.#parts.interrupt()
    this.#tell()
    run?.abort(new Error(`The upload is ${state}.`))
  }

  #go(): void {
    if (!this.#file.source) throw new UploadError('upload.source_missing')
    const run = new AbortController()
    this.#run = run
    this.#state = 'uploading'
    this.#stage = 'starting'
    this.#error = null
    this.#meter = createRateMeter(this.#sizeBytes)
    this.#parts.forgive()
    this.#tell()
    void this.#work(run)
  }

  #isCurrent(run: AbortController): boolean {
    return this.#run === run
  }

  async #work(run: AbortController): Promise<void> {
    try {
      const result = await this.#carryOut(run)
      if (!this.#isCurrent(run)) return
      this.#result = result
      this.#leave('completed')
    } catch (error) {
      if (!this.#isCurrent(run)) return
      this.#error = error instanceof UploadError ? error : new UploadError('upload.parts_failed', error)
      this.#leave(this.#file.source ? 'failed' : 'paused')
      // Discards an upload that cannot be resumed, because the next run starts from zero.
      if (!this.#transport.look) await this.#discard()
    }
  }

  async #carryOut(run: AbortController): Promise<Result> {
    await this.#prepare(run)
    for (let round = 1; ; round += 1) {
      this.#enter(run, 'uploading')
      this.#measure()
      await this.#sendMissing(run)
      this.#enter(run, 'completing')
      try {
        return await this.#finish(run)
      } catch (error) {
        run.signal.throwIfAborted()
        const isLast = round === MAX_FINISH_ROUNDS || !this.#transport.look
        if (isLast || this.#transport.judge(error) !== 'refresh')
          throw new UploadError('upload.finish_failed', error)
        // The storage lacks a part that was recorded as received, so the list of received parts is requested again
        // before missing parts are sent.
        await this.#look(run)
      }
    }
  }

  #enter(run: AbortController, stage: UploadStage): void {
    run.signal.throwIfAborted()
    this.#stage = stage
    this.#tell()
  }

  async #prepare(run: AbortController): Promise<void> {
    this.#enter(run, 'initializing')
    try {
      if (this.#id !== null && this.#file.mustCompare) await this.#file.compare(() => this.#tell())
      if (this.#id !== null && this.#transport.look && this.#mustLook) await this.#look(run)
      if (this.#parts.list.length === 0) await this.#begin(run)
    } catch (error) {
      run.signal.throwIfAborted()
      throw error instanceof UploadError ? error : new UploadError('upload.begin_failed', error)
    }
    // The next run requests the list of received parts before it sends.
    this.#mustLook = true
    if (this.#transport.look) void this.#file.learn(() => this.#tell())
  }

  async #begin(run: AbortController): Promise<void> {
    const begun = await this.#transport.begin(run.signal)
    if (!this.#isCurrent(run)) {
      await this.#takeLate(begun)
      run.signal.throwIfAborted()
    }
    this.#adopt(begun)
  }

  /**
   * Handles a response to the start request that arrives after the run has ended. A paused upload uses the response;
   * otherwise the started upload is discarded.
   */
  async #takeLate(begun: Begun): Promise<void> {
    const isWanted = this.#state === 'paused' && this.#parts.list.length === 0
    if (isWanted) this.#adopt(begun)
    else if (begun.id !== null) await this.#forget(begun.id)
  }

  #adopt({ id, plan, addresses }: Begun): void {
    this.#parts.clear()
    if (!this.#parts.plan(plan, this.#sizeBytes)) throw new UploadError('upload.begin_failed')
    this.#id = id
    this.#parts.addAddresses(addresses)
    this.#tell()
  }

  /** Applies the server's list of received parts. An upload that does not exist on the server starts from zero. */
  async #look(run: AbortController): Promise<void> {
    const { look } = this.#transport
    if (!look || this.#id === null) return
    const arrived = await look(this.#id, run.signal)
    run.signal.throwIfAborted()
    this.#parts.clear()
    this.#savedBytes = 0
    if (arrived === null) {
      this.#id = null
      await this.#begin(run)
      return
    }
    if (!this.#parts.plan(arrived.plan, this.#sizeBytes)) throw new UploadError('upload.source_changed')
    this.#parts.addAddresses(arrived.addresses)
    this.#parts.adopt(arrived)
    this.#tell()
  }

  async #sendMissing(run: AbortController): Promise<void> {
    const todo = this.#parts.missing()
    if (todo.length === 0) return
    const stop = new AbortController()
    const signal = AbortSignal.any([run.signal, stop.signal])
    const work = async () => {
      try {
        for (let next = todo.shift(); next !== undefined; next = todo.shift())
          await this.#sendPart(next, { run, signal })
      } catch (error) {
        stop.abort(asError(error))
        throw error
      }
    }
    await Promise.all(Array.from({ length: Math.min(this.#lanes.count, todo.length) }, work))
  }

  async #sendPart(partNumber: number, { run, signal }: { run: AbortController; signal: AbortSignal }) {
    for (let failures = 0; ;) {
      const failure = await this.#tryPart(partNumber, signal)
      if (failure === null) return
      signal.throwIfAborted()
      failures += 1
      const verdict = this.#transport.judge(failure.error)
      const isLast = verdict === 'stop' || failures > PART_RETRIES
      this.#parts.fail(partNumber, { isLast })
      this.#tell()
      if (isLast) throw new UploadError(codeOf(failure.error), failure.error)
      if (verdict === 'refresh') await this.#refresh(run)
      await sleep(this.#clock, RETRY_DELAY_MS * failures, signal)
    }
  }

  /** @returns the error, or `null` if the part was received. */
  async #tryPart(partNumber: number, signal: AbortSignal): Promise<{ error: unknown } | null> {
    const release = await this.#lanes.acquire(signal)
    try {
      const etag = await this.#sendTimed(partNumber, signal)
      signal.throwIfAborted()
      this.#parts.complete(partNumber, etag)
      this.#measure()
      this.#tell()
      return null
    } catch (error) {
      return { error }
    } finally {
      release()
    }
  }

  async #sendTimed(partNumber: number, signal: AbortSignal): Promise<string | null> {
    const timeout = new AbortController()
    const startTimer = () =>
      this.#clock.after(PART_TIMEOUT_MS, () => timeout.abort(new UploadError('upload.timeout')))
    let cancelTimer = startTimer()
    const { firstByte, endByte } = this.#parts.get(partNumber)
    // A single part, or a part of more than `MULTIPART_FROM_BYTES`, fails only after this time without progress. Any
    // other part fails if it is not sent within this time.
    const isLong = this.#parts.list.length === 1 || endByte - firstByte > MULTIPART_FROM_BYTES
    try {
      const body = await this.#file.source?.slice(firstByte, endByte)
      if (body === undefined) throw new UploadError('upload.source_missing')
      signal.throwIfAborted()
      this.#parts.start(partNumber)
      this.#tell()
      return await this.#transport.send({
        id: this.#id,
        partNumber,
        address: this.#parts.addressOf(partNumber),
        body,
        sizeBytes: endByte - firstByte,
        signal: AbortSignal.any([signal, timeout.signal]),
        onProgress: (sentBytes) => {
          if (signal.aborted || timeout.signal.aborted) return
          this.#parts.progress(partNumber, sentBytes)
          this.#measure()
          this.#tell()
          if (!isLong) return
          cancelTimer()
          cancelTimer = startTimer()
        },
      })
    } catch (error) {
      throw timeout.signal.aborted && !signal.aborted ? asError(timeout.signal.reason) : error
    } finally {
      cancelTimer()
    }
  }

  #measure(): void {
    this.#meter.add({ atMs: this.#clock.nowMs(), sentBytes: this.#parts.sentBytes })
  }

  /** Requests new URLs. Concurrent callers share one request. */
  #refresh(run: AbortController): Promise<void> {
    this.#refreshing ??= this.#askForAddresses(run).finally(() => {
      this.#refreshing = null
    })
    return this.#refreshing
  }

  async #askForAddresses(run: AbortController): Promise<void> {
    const { look } = this.#transport
    if (!look) {
      // Discards the earlier upload first, because it can reserve the name that the new upload needs.
      const before = this.#id
      this.#id = null
      if (before !== null) await this.#forget(before)
      run.signal.throwIfAborted()
      await this.#begin(run)
      return
    }
    if (this.#id === null) return
    const arrived = await look(this.#id, run.signal)
    run.signal.throwIfAborted()
    if (arrived === null) throw new UploadError('upload.gone')
    this.#parts.addAddresses(arrived.addresses)
  }

  async #finish(run: AbortController): Promise<Result> {
    for (let failures = 0; ;) {
      try {
        return await this.#transport.finish({ id: this.#id, parts: this.#parts.tags(), signal: run.signal })
      } catch (error) {
        run.signal.throwIfAborted()
        failures += 1
        if (this.#transport.judge(error) !== 'again' || failures > PART_RETRIES) throw error
        await sleep(this.#clock, RETRY_DELAY_MS * failures, run.signal)
      }
    }
  }

  async #discard(): Promise<void> {
    const id = this.#id
    this.#id = null
    this.#parts.clear()
    this.#savedBytes = 0
    this.#tell()
    if (id !== null) await this.#forget(id)
  }

  async #forget(id: string): Promise<void> {
    try {
      await this.#transport.discard(id)
    } catch {
      // The error is ignored, because the server's sweep deletes the remaining parts, and the user already knows the
      // outcome.
    }
  }
}

const codeOf = (error: unknown): UploadErrorCode =>
  error instanceof UploadError ? error.code : 'upload.parts_failed'
