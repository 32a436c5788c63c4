import { NO_RATE, systemClock, type Upload, UploadQueue, type UploadSnapshot } from '@dropleaf/uploader'

/** Result of an upload: the path of a file in a mount, or the slug of a share. An object of a bundle has neither. */
export interface UploadResult {
  readonly path: string | null
  readonly slug: string | null
}

/** The properties of an upload that this list uses. They do not depend on the transport. */
export interface FileUpload extends Pick<
  Upload<never, UploadResult>,
  'state' | 'snapshot' | 'subscribe' | 'start' | 'resume' | 'pause' | 'abort'
> {}

/** Files that were added together. */
export interface UploadBatch {
  readonly id: string
  readonly kind: 'mount' | 'share' | 'bundle'
  /** Target folder in a mount. Empty for shares and bundles. */
  readonly directory: string
  readonly addedAtMs: number
  /**
   * Page that added the files; absent for the upload page and for mounts. The home page also lists its own uploads.
   * Files of `url` cannot be chosen again, because they exist only in this tab.
   */
  readonly page?: 'home' | 'url'
}

/** Facts by which the app recognises a file that the user chooses again. */
export interface FileFacts {
  readonly name: string
  readonly size: number
  readonly lastModified: number
}

export interface UploadEntry extends UploadSnapshot<UploadResult> {
  /** Identifies the entry in this list. `id` identifies the upload on the server. */
  readonly key: string
  readonly batch: UploadBatch
  readonly name: string
  /** Folder below the folder of the batch, such as `a/b/`, or `''`. */
  readonly folder: string
  readonly file: FileFacts
  readonly handle: FileSystemFileHandle | null
  /** Whether the upload waits for a free lane. */
  readonly isWaiting: boolean
  /** Time of the automatic retry after a failure that might be temporary, or `null`. */
  readonly retryAtMs: number | null
  /** Whether the server retains the uploaded parts when the upload stops. */
  readonly canContinue: boolean
  /** Whether the upload waits for the browser to be online. */
  readonly isCut: boolean
}

interface UploadFacts {
  /** Key of the ended entry that this upload replaces. */
  readonly key?: string
  readonly batch: UploadBatch
  readonly name: string
  readonly folder?: string
  readonly file: FileFacts
  readonly handle?: FileSystemFileHandle
  readonly canContinue: boolean
  /** Whether a failure might be temporary. */
  readonly isPassing?: (entry: UploadEntry) => boolean
  /** Called when the entry is removed from the list. */
  readonly letGo?: () => void
}

/** An upload that sends the bytes of its file unchanged. */
interface PlainUpload extends UploadFacts {
  readonly upload: Upload<Blob, UploadResult>
  readonly takeFile?: undefined
}

/** An upload that sends other bytes than those of its file, such as encrypted bytes. */
interface OtherUpload extends UploadFacts {
  readonly upload: FileUpload
  /** Continues with the file that the user has chosen again. */
  readonly takeFile: (file: Blob) => void
}

export type NewUpload = PlainUpload | OtherUpload

type Held = NewUpload & {
  readonly key: string
  retryAtMs: number | null
  retries: number
  cancelRetry: () => void
}

/** Interval at which listeners are notified of progress. */
const PUBLISH_MS = 100
/** Interval at which speed and remaining time are updated, even without progress. */
const TICK_MS = 1000
const RETRY_DELAYS_MS = [5000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000]

/** All uploads in this tab, from all pages. */
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
  /** Keys of uploads that are paused until the next login, or `null` during a session. */
  #resting: Set<string> | null = null
  #isOffline = false

  /**
   * Adds uploads and starts them in order. Restored uploads do not start. While the session is expired, the others are
   * paused until the next login.
   */
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

  #keyFor({ key }: NewUpload): string {
    if (key !== undefined && this.#held.has(key)) {
      this.#held.get(key)?.letGo?.()
      this.#snapshots.delete(key)
      return key
    }
    this.#lastKey += 1
    return `upload-${this.#lastKey}`
  }

  #hold(added: NewUpload): string {
    const key = this.#keyFor(added)
    const held: Held = { ...added, key, retryAtMs: null, retries: 0, cancelRetry: () => undefined }
    this.#held.set(key, held)
    let state = added.upload.state
    added.upload.subscribe(() => {
      if (this.#held.get(key) !== held) return
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

  /** Schedules a retry if the failure might be temporary and retries are left. */
  #planRetry(held: Held): void {
    const entry = this.#entryOf(held.key)
    if (!entry || !held.isPassing?.(entry)) return
    const delayMs = RETRY_DELAYS_MS[held.retries]
    if (delayMs === undefined) return
    // Does not count retries while offline, so that the upload can wait indefinitely.
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

  /** Discards outdated snapshots, because a change of the queue can affect any upload. */
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

  /** Calls the watcher immediately after each change of a state. @returns a function that unsubscribes */
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

  /**
   * Removes uploads from the queue. A caller does this for all uploads before it stops the first one. Otherwise a lane
   * that becomes free would start the next of them.
   */
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

  /** Resumes paused and failed uploads whose files are available. Ignores all others. */
  resume(keys: readonly string[]): void {
    this.#each(keys, ({ upload }) => {
      const { state, hasSource } = upload.snapshot()
      if (hasSource && (state === 'paused' || state === 'failed')) this.#queue.enqueue(upload)
    })
  }

  /** Resumes uploads when the user requests this, and resets the number of retries. */
  retry(keys: readonly string[]): void {
    for (const key of keys) {
      const held = this.#held.get(key)
      if (held) held.retries = 0
    }
    this.resume(keys)
  }

  /**
   * Call when the browser goes offline or online. When the browser is online again, uploads that wait for an automatic
   * retry continue.
   */
  setOffline(isOffline: boolean): void {
    this.#isOffline = isOffline
    this.#snapshots.clear()
    this.#publish()
    if (isOffline) return
    this.resume([...this.#held.values()].filter(({ retryAtMs }) => retryAtMs !== null).map(({ key }) => key))
  }

  /** Cancels uploads in this tab and on the server. */
  cancel(keys: readonly string[]): void {
    this.#withdraw(keys)
    this.#each(keys, ({ upload, cancelRetry }) => {
      cancelRetry()
      void upload.abort()
    })
  }

  /** Supplies the file of a restored upload. @throws {UploadError} */
  provide(key: string, file: Blob): void {
    const held = this.#held.get(key)
    if (held?.takeFile) held.takeFile(file)
    else held?.upload.provide(blobSource(file))
  }

  forget(keys: readonly string[]): void {
    this.#each(keys, ({ key, upload }) => {
      const isOver = ['completed', 'failed', 'aborted'].includes(upload.state)
      if (!isOver || this.#queue.isWaiting(upload)) return
      void upload.abort()
      this.#drop(key)
    })
  }

  /** Pauses all uploads when the session expires, without discarding them. */
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

  /** Resumes the uploads that {@link rest} has paused. */
  wake(): void {
    const keys = [...(this.#resting ?? [])]
    this.#resting = null
    this.retry(keys)
  }

  /**
   * Removes all uploads. Call after a logout (`isForGood` is true) or after the login of another user. Pauses uploads
   * that can be resumed, unless `isForGood` is true, and cancels all others.
   */
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

  /** Number of uploads that wait for the next login. */
  countResting(): number {
    return this.#resting?.size ?? 0
  }
}

export const blobSource = (file: Blob) => ({
  sizeBytes: file.size,
  slice: (firstByte: number, endByte: number) => file.slice(firstByte, endByte),
  // Loads the module on demand, because the first load of the home page contains this file.
  fingerprint: async () => (await import('./fingerprint.ts')).fingerprintOf(file),
})
