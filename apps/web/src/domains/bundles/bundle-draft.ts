import type { ManifestInput } from '@dropleaf/contract'
import { systemClock, Upload } from '@dropleaf/uploader'
import { currentOwner } from '../session/session-owner.ts'
import type { PickedFile } from '../transfers/uploads/picked-files.ts'
import { holdUpload } from '../transfers/uploads/saved-uploads.ts'
import { isPassing } from '../transfers/uploads/upload-calls.ts'
import { uploadLanes } from '../transfers/uploads/upload-lanes.ts'
import {
  blobSource,
  type FileFacts,
  type NewUpload,
  type UploadBatch,
  type UploadEntry,
  type UploadResult,
} from '../transfers/uploads/upload-store.ts'
import { uploads } from '../transfers/uploads/uploads.ts'
import { BundleCalls, type BundleOptions } from './bundle-calls.ts'
import {
  type BundleSnapshot,
  type BundleState,
  type ItemView,
  stateOfItems,
  totalsOf,
} from './bundle-snapshot.ts'
import { type Item, savedItemOf } from './bundle-item.ts'
import { type BundlePlace, objectTransport } from './bundle-transports.ts'
import type { BundleFile, Draft } from './draft.ts'
import { matchChosen } from './match-chosen.ts'
import {
  type BundleContent,
  type BundleOrigin,
  forgetBundle,
  saveBundle,
  type SavedBundle,
} from './saved-bundles.ts'

export interface NewDraft {
  readonly at: BundleOrigin
  readonly place: BundlePlace
  readonly content: BundleContent
  readonly files: readonly BundleFile[]
}

const SAVE_EVERY_MS = 1500

const factsOf = ({ name, size, lastModified }: FileFacts): FileFacts => ({ name, size, lastModified })

function splitPath(path: string) {
  const start = path.lastIndexOf('/') + 1
  return { folder: path.slice(0, start), name: path.slice(start) }
}

/**
 * A bundle that is being created: its files are uploaded, then the bundle is published. After a failure, {@link go}
 * resumes without losing anything.
 */
export class BundleDraft implements Draft {
  readonly at: BundleOrigin
  readonly isSealed = false
  readonly #calls: BundleCalls
  readonly #place: BundlePlace
  readonly #batch: UploadBatch
  readonly #items = new Map<number, Item>()
  readonly #onChange: () => void
  readonly #owner = currentOwner()
  #content: BundleContent
  #options: BundleOptions | null = null
  #step: 'idle' | 'creating' | 'publishing' | 'published' = 'idle'
  #error: unknown = null
  #isDropped = false
  /** Whether the user has discarded the bundle instead of leaving it. */
  #isDiscarded = false
  #nextNumber = 0
  #savedAtMs = 0
  #letGo: (() => void) | null = null

  private constructor(
    { at, place, content }: Omit<NewDraft, 'files'>,
    { calls, onChange }: { calls: BundleCalls; onChange: () => void },
  ) {
    this.at = at
    this.#calls = calls
    this.#place = place
    this.#content = content
    this.#onChange = onChange
    this.#batch = { id: this.key, kind: 'bundle', directory: '', addedAtMs: Date.now() }
  }

  static create(draft: NewDraft, onChange: () => void): BundleDraft {
    const made = new BundleDraft(draft, { calls: new BundleCalls(), onChange })
    made.add(draft.files)
    return made
  }

  /** Restores a bundle that a reload has interrupted. The user must choose its missing files again. */
  static restore(record: SavedBundle, onChange: () => void): BundleDraft {
    const draft = new BundleDraft(record, { calls: new BundleCalls(record.id, record), onChange })
    draft.#letGo = holdUpload(record.id)
    for (const { handle = null, ...item } of record.items)
      draft.#items.set(item.n, { ...item, bytes: null, handle, key: null })
    draft.#nextNumber = Math.max(-1, ...record.items.map(({ n }) => n)) + 1
    draft.#send()
    return draft
  }

  get key(): string {
    return `bundle-${this.#calls.id}`
  }

  get id(): string {
    return this.#calls.id
  }

  get isPublished(): boolean {
    return this.#step === 'published'
  }

  /** Gives each file a new number, because the object with an existing number never changes. */
  add(files: readonly BundleFile[]): void {
    for (const { path, file, handle } of files) {
      const n = this.#nextNumber
      this.#nextNumber += 1
      const upload = { key: null, isStored: false, sentBytes: 0 }
      this.#items.set(n, { n, path, file: factsOf(file), bytes: file, handle, ...upload })
    }
  }

  setContent(content: BundleContent): void {
    this.#content = content
  }

  async go(options: BundleOptions | null = this.#options): Promise<void> {
    if (this.#step !== 'idle' || this.#isDropped) return
    this.#options = options
    this.#error = null
    if (options) {
      this.#enter('creating')
      try {
        await this.#calls.ensure(options)
      } catch (error) {
        await this.#discardIfUnwanted()
        this.#fail(error)
        return
      }
      if (await this.#discardIfUnwanted()) return
      this.#letGo ??= holdUpload(this.id)
      this.#enter('idle')
    }
    this.#save()
    this.#send()
    await this.#publishIfReady()
  }

  #enter(step: 'idle' | 'creating' | 'publishing' | 'published'): void {
    this.#step = step
    this.#onChange()
  }

  #fail(error: unknown): void {
    this.#error = error
    this.#enter('idle')
  }

  /** Starts or resumes the uploads of all missing files, or of the file with the number `only`. */
  #send(only?: number): void {
    const missing = [...this.#items.values()].filter(
      ({ n, isStored }) => !isStored && (only === undefined || n === only),
    )
    const fresh = missing.filter(({ key }) => {
      const entry = key === null ? undefined : uploads.get(key)
      return entry === undefined || entry.state === 'aborted'
    })
    const entries = uploads.add(fresh.map((item) => this.#newUpload(item)))
    for (const [index, item] of fresh.entries()) this.#put(item, { key: entries[index]?.key ?? null })
    uploads.retry(missing.flatMap(({ key }) => (key === null ? [] : [key])))
    this.#onChange()
  }

  #newUpload({ n, path, file, bytes, handle, key, sentBytes, fingerprint }: Item): NewUpload {
    const { folder, name } = splitPath(path)
    const { size: sizeBytes } = file
    const target = { bundleId: this.id, n, filename: name, sizeBytes, place: this.#place }
    const transport = objectTransport(target)
    const canContinue = transport.look !== undefined
    const upload = new Upload<Blob, UploadResult>({
      transport,
      clock: systemClock,
      lanes: uploadLanes,
      source: bytes && blobSource(bytes),
      // The upload waits until the user chooses the file again. The server then reports which parts of a large file
      // have arrived.
      ...(!bytes && {
        saved: {
          id: canContinue ? `${this.id}/${n}` : null,
          sizeBytes,
          sentBytes,
          ...(fingerprint && { fingerprint }),
        },
      }),
    })
    return {
      ...(key !== null && { key }),
      batch: this.#batch,
      name,
      folder,
      file,
      upload,
      canContinue,
      isPassing: ({ error }) => isPassing(error),
      ...(handle && { handle }),
    }
  }

  #put(item: Item, change: Partial<Item>): void {
    const now = this.#items.get(item.n)
    if (now) this.#items.set(item.n, { ...now, ...change })
  }

  noteEntry({ key, batch, state, hasSource }: UploadEntry): void {
    if (batch !== this.#batch) return
    const item = [...this.#items.values()].find((one) => one.key === key)
    if (item && state === 'completed') this.#put(item, { isStored: true, bytes: null })
    // The upload has rejected the file that the user chose, because its contents differ from those of the original
    // file.
    else if (item && !hasSource) this.#put(item, { bytes: null })
    this.#save({ isForced: state !== 'uploading' && !this.#hasMissing() })
    void this.#publishIfReady()
  }

  #hasMissing(): boolean {
    return [...this.#items.values()].some(({ isStored }) => !isStored)
  }

  async #publishIfReady(): Promise<void> {
    const isReady = this.#step === 'idle' && this.#error === null && this.#calls.made !== null
    if (!isReady || this.#isDropped || this.#hasMissing()) return
    this.#enter('publishing')
    try {
      await this.#calls.publish(this.#manifest())
    } catch (error) {
      await this.#discardIfUnwanted()
      this.#fail(error)
      return
    }
    if (this.#isDiscarded) {
      await this.#discardIfUnwanted()
      return
    }
    this.#forgetSaved()
    this.#enter('published')
  }

  /**
   * Deletes the bundle on the server if the user has discarded it meanwhile. Also deletes it after a failed request,
   * because the request may have worked although its response was lost.
   * @returns whether the draft has ended
   */
  async #discardIfUnwanted(): Promise<boolean> {
    if (this.#isDiscarded) await this.#calls.discard().catch(() => undefined)
    return this.#isDropped
  }

  #manifest(): ManifestInput {
    const { title, page } = this.#content
    const items = [...this.#items.values()].map(({ path, n }) => ({ path, source: { object: n } }))
    return { title, ...(page && { page }), items }
  }

  retry(n?: number): void {
    if (n === undefined) void this.go()
    else this.#send(n)
  }

  pause(): void {
    uploads.pause(this.#keys())
  }

  remove(n: number): void {
    const item = this.#items.get(n)
    this.#items.delete(n)
    if (item?.key) this.#end([item.key])
    this.#save({ isForced: true })
    this.#onChange()
    void this.#publishIfReady()
  }

  provide(chosen: readonly PickedFile[]): PickedFile[] {
    const open = [...this.#items.values()].filter(
      ({ isStored, bytes, key }) => !isStored && bytes === null && key !== null,
    )
    const { found, others } = matchChosen(open, chosen)
    for (const [item, { file, handle }] of found) {
      this.#put(item, { bytes: file, handle: handle ?? item.handle })
      if (item.key !== null) uploads.provide(item.key, file)
    }
    if (others.length < chosen.length) void this.go()
    return others
  }

  handles(): FileSystemFileHandle[] {
    const missing = [...this.#items.values()].filter(({ isStored, bytes }) => !isStored && bytes === null)
    return missing.flatMap(({ handle }) => handle ?? [])
  }

  async drop(): Promise<void> {
    this.#isDropped = true
    this.#isDiscarded = true
    this.#end(this.#keys())
    this.#forgetSaved()
    // If the request fails, the sweep of the server deletes the draft later.
    if (this.#step === 'idle') await this.#calls.discard().catch(() => undefined)
  }

  flush(): void {
    this.#save({ isForced: true })
  }

  leave({ isForGood }: { isForGood: boolean }): void {
    this.#isDropped = true
    if (isForGood) this.#forgetSaved()
    else this.#letGo?.()
  }

  #end(keys: readonly string[]): void {
    uploads.cancel(keys)
    uploads.forget(keys)
  }

  #keys(): string[] {
    return [...this.#items.values()].flatMap(({ key }) => key ?? [])
  }

  #save({ isForced = false } = {}): void {
    const { made } = this.#calls
    const nowMs = Date.now()
    if (!made || this.#isDropped || this.#step === 'published') return
    if (!isForced && nowMs - this.#savedAtMs < SAVE_EVERY_MS) return
    this.#savedAtMs = nowMs
    const items = [...this.#items.values()].map((item) =>
      savedItemOf(item, item.key === null ? undefined : uploads.get(item.key)),
    )
    const { at } = this
    const facts = { id: this.id, owner: this.#owner, at, slug: made.slug, place: this.#place }
    void saveBundle({ ...facts, content: this.#content, items, savedAtMs: nowMs })
  }

  #forgetSaved(): void {
    void forgetBundle(this.id)
    this.#letGo?.()
    this.#letGo = null
  }

  #state(items: readonly ItemView[]): BundleState {
    if (this.#step === 'published' || this.#step === 'publishing') return this.#step
    if (this.#step === 'creating') return 'starting'
    return this.#error === null ? stateOfItems(items) : 'failed'
  }

  snapshot(): BundleSnapshot {
    const items = [...this.#items.values()].map(({ n, path, file, isStored, key }) => ({
      n,
      path,
      file,
      isStored,
      entry: (key !== null && uploads.get(key)) || null,
    }))
    const { title, page } = this.#content
    return {
      key: this.key,
      at: this.at,
      state: this.#state(items),
      title,
      slug: this.#calls.made?.slug ?? null,
      hasPage: page !== null && page !== undefined,
      isSealed: false,
      linkKey: null,
      error: this.#error,
      items,
      ...totalsOf(items),
    }
  }
}
