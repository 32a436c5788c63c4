import { NO_RATE, systemClock, type Upload, UploadQueue, type UploadSnapshot } from '@dropleaf/uploader'

/** Result of an upload: the path of the file in a mount, or the link suffix of a share. */
export interface UploadResult {
  readonly path: string | null
  readonly slug: string | null
}

export type FileUpload = Upload<Blob, UploadResult>

/** Files that were added together. */
export interface UploadBatch {
  readonly id: string
  readonly kind: 'mount' | 'share'
  /** Folder of a mount that they go to; empty for shares. */
  readonly directory: string
  readonly addedAtMs: number
}

/** What tells a file from others when it is chosen again. */
export interface FileFacts {
  readonly name: string
  readonly size: number
  readonly lastModified: number
}

export interface UploadEntry extends UploadSnapshot<UploadResult> {
  /** Name in this list; `id` is what the server calls it. */
  readonly key: string
  readonly batch: UploadBatch
  readonly name: string
  /** Folder below that of the batch: `''`, or `a/b/`. */
  readonly folder: string
  readonly file: FileFacts
  /** Opens the file again after a reload, where the browser has such a thing. */
  readonly handle: FileSystemFileHandle | null
  /** In the line: it starts, or goes on, when it is its turn. */
  readonly isWaiting: boolean
  /** The line is broken: when it goes on by itself. */
  readonly retryAtMs: number | null
  /** A stop keeps what has arrived. */
  readonly canContinue: boolean
  /** It moves as soon as there is a line again. */
  readonly isCut: boolean
}

export interface NewUpload {
  readonly batch: UploadBatch
  readonly name: string
  readonly folder?: string
  readonly file: FileFacts
  readonly handle?: FileSystemFileHandle
  readonly upload: FileUpload
  readonly canContinue: boolean
  /** Whether a failure may pass by itself. */
  readonly isPassing?: (entry: UploadEntry) => boolean
  /** Called when it is taken off the list. */
  readonly letGo?: () => void
}

interface Held extends NewUpload {
  readonly key: string
  retryAtMs: number | null
  retries: number
  cancelRetry: () => void
}

/** Listeners get progress a few times per second, however many parts report. */
const PUBLISH_MS = 100
/** Speed and remaining time change also while nothing arrives. */
const TICK_MS = 1000
const RETRY_DELAYS_MS = [5000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000]

/** Everything that this tab uploads, whichever page began it. */
export class UploadStore {
  readonly #held = new Map<string, Held>()
  readonly #snapshots = new Map<string, UploadEntry>()
  readonly #listeners = new Set<() => void>()
  readonly #watchers = new Set<(entry: UploadEntry) => void>()
  readonly #queue = new UploadQueue({ onChange: () => this.#touchAll() })
  #list: readonly UploadEntry[] = []
  #isStale = false
  #publishing: ReturnType<typeof setTimeout> | null = null
  #ticking: ReturnType<typeof setTimeout> | undefined
  #lastKey = 0
  /** Uploads that stand still because nobody is logged in; `null` while somebody is. */
  #resting: Set<string> | null = null
  #isOffline = false

  /** Takes uploads on, in order. Those that were begun before wait until somebody goes on with them. */
  add(uploads: readonly NewUpload[]): UploadEntry[] {
    const keys = uploads.map((added) => this.#hold(added))
    const fresh = keys.filter((key) => this.#held.get(key)?.upload.state === 'idle')
    if (this.#resting) {
      for (const key of fresh) this.#resting.add(key)
      this.pause(fresh)
    } else {
      this.#each(fresh, ({ upload }) => this.#queue.enqueue(upload))
    }
    this.#publish()
    return keys.map((key) => this.#entryOf(key)).filter((entry) => entry !== undefined)
  }

  #hold(added: NewUpload): string {
    this.#lastKey += 1
    const key = `upload-${this.#lastKey}`
    const held: Held = { ...added, key, retryAtMs: null, retries: 0, cancelRetry: () => undefined }
    this.#held.set(key, held)
    let state = added.upload.state
    added.upload.subscribe(() => {
      this.#snapshots.delete(key)
      if (added.upload.state !== state) {
        state = added.upload.state
        this.#onState(held)
      }
      this.#schedule()
    })
    return key
  }

  #onState(held: Held): void {
    held.cancelRetry()
    held.retryAtMs = null
    if (held.upload.state === 'failed') this.#planRetry(held)
    const entry = this.#entryOf(held.key)
    if (entry) for (const watcher of this.#watchers) watcher(entry)
  }

  /** A failed connection is not reported as long as waiting loses nothing. */
  #planRetry(held: Held): void {
    const entry = this.#entryOf(held.key)
    if (!entry || !held.isPassing?.(entry)) return
    const delayMs = RETRY_DELAYS_MS[held.retries]
    if (delayMs === undefined) return
    // Offline nothing can be retried: the upload waits, however long that takes.
    if (!this.#isOffline) held.retries += 1
    held.retryAtMs = systemClock.nowMs() + delayMs
    held.cancelRetry = systemClock.after(delayMs, () => this.resume([held.key]))
    this.#snapshots.delete(held.key)
  }

  #entryOf(key: string): UploadEntry | undefined {
    const held = this.#held.get(key)
    if (!held) return undefined
    const known = this.#snapshots.get(key)
    if (known) return known
    const { batch, name, folder = '', file, handle = null, upload, canContinue, retryAtMs } = held
    const snapshot = upload.snapshot()
    const isCut = this.#isOffline && (snapshot.state === 'uploading' || retryAtMs !== null)
    const entry = {
      ...snapshot,
      ...(isCut && NO_RATE),
      isCut,
      key,
      batch,
      name,
      folder,
      file,
      handle,
      canContinue,
      retryAtMs,
      isWaiting: this.#queue.isWaiting(upload),
    }
    this.#snapshots.set(key, entry)
    return entry
  }

  /** Who waits may have changed for any of them. */
  #touchAll(): void {
    for (const [key, { upload }] of this.#held) {
      if (this.#snapshots.get(key)?.isWaiting !== this.#queue.isWaiting(upload)) this.#snapshots.delete(key)
    }
    this.#schedule()
  }

  #schedule(): void {
    this.#isStale = true
    if (this.#publishing !== null) return
    this.#publishing = setTimeout(() => {
      this.#publishing = null
      this.#publish()
    }, PUBLISH_MS)
  }

  #publish(): void {
    this.#isStale = true
    for (const listener of this.#listeners) listener()
    const isRunning = this.getAll().some(({ state }) => state === 'uploading')
    if (!isRunning || this.#ticking !== undefined) return
    this.#ticking = setTimeout(() => {
      this.#ticking = undefined
      for (const [key, { upload }] of this.#held)
        if (upload.state === 'uploading') this.#snapshots.delete(key)
      this.#publish()
    }, TICK_MS)
  }

  getAll(): readonly UploadEntry[] {
    if (!this.#isStale) return this.#list
    this.#isStale = false
    this.#list = [...this.#held.keys()]
      .map((key) => this.#entryOf(key))
      .filter((entry) => entry !== undefined)
    return this.#list
  }

  get(key: string): UploadEntry | undefined {
    return this.#entryOf(key)
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls the watcher for every change of a state, at once. */
  onState(watcher: (entry: UploadEntry) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  #each(keys: readonly string[], work: (held: Held) => void): void {
    for (const key of keys) {
      const held = this.#held.get(key)
      if (held) work(held)
    }
    this.#publish()
  }

  /** Out of the line with all of them first: the room that one leaves must not start the next. */
  #withdraw(keys: readonly string[]): void {
    for (const key of keys) {
      const held = this.#held.get(key)
      if (held) this.#queue.withdraw(held.upload)
    }
  }

  pause(keys: readonly string[]): void {
    this.#withdraw(keys)
    this.#each(keys, (held) => {
      held.cancelRetry()
      held.retryAtMs = null
      this.#snapshots.delete(held.key)
      held.upload.pause()
    })
  }

  /** Goes on with what is paused or has failed and has its bytes; everything else is left alone. */
  resume(keys: readonly string[]): void {
    this.#each(keys, ({ upload }) => {
      const { state, hasSource } = upload.snapshot()
      if (hasSource && (state === 'paused' || state === 'failed')) this.#queue.enqueue(upload)
    })
  }

  /** The same by hand: all tries again. */
  retry(keys: readonly string[]): void {
    for (const key of keys) {
      const held = this.#held.get(key)
      if (held) held.retries = 0
    }
    this.resume(keys)
  }

  /** As the browser knows it. Broken lines that are waited for go on as soon as the network is back. */
  setOffline(isOffline: boolean): void {
    this.#isOffline = isOffline
    this.#snapshots.clear()
    this.#publish()
    if (isOffline) return
    this.resume([...this.#held.values()].filter(({ retryAtMs }) => retryAtMs !== null).map(({ key }) => key))
  }

  /** Gives uploads up, here and on the server. */
  cancel(keys: readonly string[]): void {
    this.#withdraw(keys)
    this.#each(keys, ({ upload, cancelRetry }) => {
      cancelRetry()
      void upload.abort()
    })
  }

  /** Hands in the bytes of an upload that was begun before the page was loaded. @throws {UploadError} */
  provide(key: string, file: Blob): void {
    this.#held.get(key)?.upload.provide(blobSource(file))
  }

  /** Takes entries off the list; those that are not over stay. */
  forget(keys: readonly string[]): void {
    this.#each(keys, ({ key, upload }) => {
      const isOver = ['completed', 'failed', 'aborted'].includes(upload.state)
      if (!isOver || this.#queue.isWaiting(upload)) return
      void upload.abort()
      this.#drop(key)
    })
  }

  /** Nobody is logged in: everything pauses and keeps its bytes. */
  rest(): void {
    if (this.#resting) return
    const keys = [...this.#held.values()]
      .filter(
        ({ upload, retryAtMs }) =>
          upload.state === 'uploading' || retryAtMs !== null || this.#queue.isWaiting(upload),
      )
      .map(({ key }) => key)
    this.#resting = new Set(keys)
    this.pause(keys)
  }

  /** Goes on with what stood still since `rest`. */
  wake(): void {
    const keys = [...(this.#resting ?? [])]
    this.#resting = null
    this.retry(keys)
  }

  /** The owner has left: resumable uploads pause, everything else is discarded. */
  leave({ isForGood }: { isForGood: boolean }): void {
    this.#resting?.clear()
    this.#withdraw([...this.#held.keys()])
    for (const held of this.#held.values()) {
      held.cancelRetry()
      if (held.canContinue && !isForGood) held.upload.pause()
      else void held.upload.abort()
      this.#drop(held.key)
    }
    this.#publish()
  }

  #drop(key: string): void {
    this.#held.get(key)?.letGo?.()
    this.#held.delete(key)
    this.#snapshots.delete(key)
  }

  isBusy(): boolean {
    const isMoving = this.getAll().some(({ state, isWaiting }) => state === 'uploading' || isWaiting)
    return isMoving || this.countResting() > 0
  }

  /** Uploads that wait for somebody to log in. */
  countResting(): number {
    return this.#resting?.size ?? 0
  }
}

export const blobSource = (file: Blob) => ({
  sizeBytes: file.size,
  slice: (firstByte: number, endByte: number) => file.slice(firstByte, endByte),
})
