import { UploadError } from './errors.ts'
import { FILES_AT_ONCE } from './limits.ts'
import type { UploadState } from './upload-state.ts'

/** The members of an upload that the queue uses. */
export interface Queued {
  readonly state: UploadState
  start(): void
  resume(): void
  subscribe(listener: () => void): () => void
}

/** Runs a limited number of uploads concurrently, first come, first served. */
export class UploadQueue {
  readonly #limit: number
  readonly #running = new Set<Queued>()
  readonly #waiting = new Set<Queued>()
  readonly #onChange: () => void

  constructor({
    limit = FILES_AT_ONCE,
    onChange = () => undefined,
  }: { limit?: number; onChange?: () => void } = {}) {
    this.#limit = limit
    this.#onChange = onChange
  }

  /**
   * Starts or resumes an upload as soon as the limit allows. An upload that has lost its source until then leaves the
   * queue and keeps its state.
   * @throws {UploadError} `upload.not_resumable`; `upload.source_missing` if the upload can start now but has no source
   */
  enqueue(upload: Queued): void {
    if (!['idle', 'paused', 'failed'].includes(upload.state)) throw new UploadError('upload.not_resumable')
    if (this.#running.size < this.#limit) this.#launch(upload)
    else this.#waiting.add(upload)
    this.#onChange()
  }

  /** Removes a waiting upload from the queue. A running upload continues. */
  withdraw(upload: Queued): void {
    if (this.#waiting.delete(upload)) this.#onChange()
  }

  isWaiting(upload: Queued): boolean {
    return this.#waiting.has(upload)
  }

  #fill(): void {
    for (const upload of this.#waiting) {
      if (this.#running.size >= this.#limit) break
      this.#waiting.delete(upload)
      try {
        this.#launch(upload)
      } catch (error) {
        if (!(error instanceof UploadError && error.code === 'upload.source_missing')) throw error
      }
    }
    this.#onChange()
  }

  #launch(upload: Queued): void {
    if (upload.state !== 'idle' && upload.state !== 'paused' && upload.state !== 'failed') return
    this.#running.add(upload)
    try {
      if (upload.state === 'idle') upload.start()
      else upload.resume()
    } catch (error) {
      this.#running.delete(upload)
      throw error
    }
    const stop = upload.subscribe(() => {
      if (upload.state === 'uploading') return
      stop()
      this.#running.delete(upload)
      this.#fill()
    })
  }
}
