import { INLINE_TEXT_MAX_BYTES, type Manifest, MANIFEST_VERSION } from '@dropleaf/seal'
import type { BundleOptions } from '../../bundles/bundle-calls.ts'
import {
  type BundleSnapshot,
  type BundleState,
  type ItemView,
  stateOfItems,
  totalsOf,
} from '../../bundles/bundle-snapshot.ts'
import type { BundlePlace } from '../../bundles/bundle-transports.ts'
import type { BundleFile, Draft } from '../../bundles/draft.ts'
import type { BundleContent, BundleOrigin } from '../../bundles/saved-bundles.ts'
import { isQueued } from '../../../lib/api-error.ts'
import { currentOwner } from '../../session/session-owner.ts'
import type { PickedFile } from '../../transfers/uploads/picked-files.ts'
import { holdUpload } from '../../transfers/uploads/saved-uploads.ts'
import type { UploadBatch, UploadEntry } from '../../transfers/uploads/upload-store.ts'
import { keepKey } from '../keys/key-store.ts'
import { forgetSealed, saveAttempt, saveSealed, type SavedSealed } from './saved-sealed.ts'
import { SealedCalls } from './sealed-calls.ts'
import type { KeepAttempt } from './sealed-object.ts'
import { SealedObjects } from './sealed-objects.ts'
import { sendingError } from './sending-error.ts'

export interface NewSealedDraft {
  readonly at: BundleOrigin
  readonly place: BundlePlace
  readonly content: BundleContent
  readonly files: readonly BundleFile[]
}

type Step = 'idle' | 'creating' | 'publishing' | 'published'

const SAVE_EVERY_MS = 1500

const isLong = (text: string) => new Blob([text]).size > INLINE_TEXT_MAX_BYTES

/**
 * An encrypted bundle that is being created. Only encrypted data leaves the device. Files are sent directly to the
 * storage if the browser can reach it. After a failure, {@link go} resumes without losing anything.
 */
export class SealedDraft implements Draft {
  readonly at: BundleOrigin
  readonly isSealed = true
  readonly key: string
  readonly #place: BundlePlace
  readonly #owner = currentOwner()
  readonly #onChange: () => void
  #batch: UploadBatch
  #calls: SealedCalls
  #objects: SealedObjects
  #content: BundleContent
  #options: BundleOptions | null = null
  #step: Step = 'idle'
  #error: unknown = null
  /** Whether the upload is being prepared. Nothing has been sent yet, so no file counts as missing. */
  #isPreparing = false
  #isDropped = false
  /** Whether the user has discarded the bundle instead of leaving it. */
  #isDiscarded = false
  /** Whether the queue sends the bundle when the server is reachable. */
  #isQueued = false
  /** Whether this browser can store the state that is needed to resume. */
  #canSave = true
  #savedAtMs = 0
  #letGo: (() => void) | null = null
  #storing: Promise<void> = Promise.resolve()

  private constructor(
    { at, place, content }: Omit<NewSealedDraft, 'files'>,
    { calls, onChange }: { calls: SealedCalls; onChange: () => void },
  ) {
    this.at = at
    this.key = `bundle-${calls.id}`
    this.#calls = calls
    this.#place = place
    this.#content = content
    this.#onChange = onChange
    this.#batch = this.#newBatch()
    this.#objects = this.#newObjects()
  }

  static create(draft: NewSealedDraft, onChange: () => void): SealedDraft {
    const made = new SealedDraft(draft, { calls: new SealedCalls(), onChange })
    made.setContent(draft.content)
    made.add(draft.files)
    return made
  }

  /** Restores a bundle that a reload has interrupted. The user must choose its missing files again. */
  static restore(saved: SavedSealed, onChange: () => void): SealedDraft {
    const { id, slug, linkKey, manifestKey, salts } = saved
    const calls = new SealedCalls(id, { slug, share: { linkKey, manifestKey, salts } })
    const draft = new SealedDraft(saved, { calls, onChange })
    draft.#letGo = holdUpload(id)
    draft.#objects.restore(saved)
    draft.#objects.send()
    return draft
  }

  #newBatch(): UploadBatch {
    return { id: `bundle-${this.#calls.id}`, kind: 'bundle', directory: '', addedAtMs: Date.now() }
  }

  #newObjects(): SealedObjects {
    const bundleId = this.#calls.id
    return new SealedObjects({
      batch: this.#batch,
      bundleId,
      place: this.#place,
      keepAttempt: (n) => this.#keepAttempt(bundleId, n),
    })
  }

  /**
   * Stores an attempt before its bytes are sent. If storing fails, the upload cannot resume after a reload, because a
   * part with an unknown salt would make the file unreadable.
   */
  #keepAttempt(bundleId: string, n: number): KeepAttempt {
    return async (attempt) => {
      await this.#store(() => saveAttempt(this.#owner, bundleId, { ...attempt, n }))
      void this.#save()
    }
  }

  /**
   * Stores data after pending writes have finished. If storing fails, everything works except resuming after a
   * reload.
   */
  #store(work: () => Promise<void>): Promise<void> {
    this.#storing = this.#storeAfter(this.#storing, work)
    return this.#storing
  }

  async #storeAfter(before: Promise<void>, work: () => Promise<void>): Promise<void> {
    const { id } = this
    await before
    if (!this.#canSave || this.#isDropped || this.isPublished) return
    try {
      await work()
    } catch {
      this.#canSave = false
      await forgetSealed(id)
    }
  }

  get id(): string {
    return this.#calls.id
  }

  get isPublished(): boolean {
    return this.#step === 'published'
  }

  add(files: readonly BundleFile[]): void {
    this.#objects.add(files)
  }

  setContent(content: BundleContent): void {
    this.#content = content
    const { page } = content
    this.#objects.setText(page && isLong(page.text) ? page : null)
  }

  async go(options: BundleOptions | null = this.#options): Promise<void> {
    if (this.#step !== 'idle' || this.#isDropped) return
    this.#options = options
    this.#error = null
    this.#isPreparing = true
    const isReady = await this.#prepare(options)
    this.#isPreparing = false
    if (isReady) this.#objects.send()
    this.#onChange()
    if (isReady) await this.#publishIfReady()
  }

  /** @returns whether files can be sent */
  async #prepare(options: BundleOptions | null): Promise<boolean> {
    if (options && !(await this.#create(options))) return false
    // Stores the list of all files before the first part is sent.
    this.#objects.plan()
    await this.#save({ isForced: true })
    return !this.#isDropped
  }

  /** @returns whether the draft exists on the server and can receive files */
  async #create(options: BundleOptions): Promise<boolean> {
    this.#enter('creating')
    try {
      if (this.#calls.hasOtherPassword(options)) await this.#beginAnew()
      if (this.#isOnlyText()) {
        await this.#calls.createPublished(options, this.#manifest())
        await this.#endPublishing()
        return false
      }
      await this.#calls.ensure(options)
    } catch (error) {
      this.#isQueued = isQueued(error)
      if (this.#isQueued) await this.#keepKey()
      await this.#discardIfUnwanted()
      this.#fail(error)
      return false
    }
    if (await this.#discardIfUnwanted()) return false
    this.#letGo ??= holdUpload(this.id)
    this.#enter('idle')
    return true
  }

  /**
   * Whether one request can create and publish the bundle, because it has no objects. That request waits in the queue
   * while the server is unreachable.
   */
  #isOnlyText(): boolean {
    return this.#calls.made === null && !this.#objects.hasMissing && this.#manifest().objects.length === 0
  }

  /** Starts a new bundle, because another password requires other keys. */
  async #beginAnew(): Promise<void> {
    const before = this.#calls
    const files = this.#objects.files()
    this.#objects.end()
    this.#forgetSaved()
    await before.discard().catch(() => undefined)
    this.#calls = new SealedCalls()
    this.#batch = this.#newBatch()
    this.#objects = this.#newObjects()
    this.setContent(this.#content)
    this.#objects.addAgain(files)
  }

  #enter(step: Step): void {
    this.#step = step
    this.#onChange()
  }

  #fail(error: unknown): void {
    this.#error = sendingError(error)
    this.#enter('idle')
  }

  noteEntry(entry: UploadEntry): void {
    if (entry.batch !== this.#batch) return
    this.#objects.noteEntry(entry)
    void this.#save({ isForced: entry.state !== 'uploading' && !this.#objects.hasMissing })
    void this.#publishIfReady()
  }

  async #publishIfReady(): Promise<void> {
    const isReady = this.#step === 'idle' && this.#error === null && this.#calls.made !== null
    if (!isReady || this.#isDropped || this.#objects.hasMissing) return
    this.#enter('publishing')
    try {
      const hasChanged = await this.#objects.replaceChanged()
      if (await this.#discardIfUnwanted()) return
      if (hasChanged) {
        this.#enter('idle')
        this.#objects.send()
        return
      }
      await this.#calls.publish(this.#manifest())
    } catch (error) {
      await this.#discardIfUnwanted()
      this.#fail(error)
      return
    }
    await this.#endPublishing()
  }

  /**
   * Deletes the bundle on the server if the user has discarded it meanwhile. Also deletes it after a failed request,
   * because the request may have worked although its response was lost.
   * @returns whether the draft has ended
   */
  async #discardIfUnwanted(): Promise<boolean> {
    // The queue sends a queued bundle later, so the server does not have it yet.
    if (this.#isDiscarded && !this.#isQueued) await this.#calls.discard().catch(() => undefined)
    return this.#isDropped
  }

  async #endPublishing(): Promise<void> {
    this.#isQueued = false
    if (this.#isDiscarded) {
      await this.#discardIfUnwanted()
      return
    }
    // After a logout, the key would be stored for another user.
    if (!this.#isDropped) await this.#keepKey()
    this.#objects.end()
    this.#enter('published')
    this.#forgetSaved()
  }

  #manifest(): Manifest {
    const { title, page } = this.#content
    return {
      v: MANIFEST_VERSION,
      ...(title !== null && { title }),
      ...(page && { page: { type: page.type, text: page.text } }),
      ...this.#objects.describe(),
    }
  }

  /** Stores the key in this browser. Ignores errors, because the link works without the stored key. */
  async #keepKey(): Promise<void> {
    const { secret, made } = this.#calls
    if (!secret) return
    // A queued bundle has no link suffix yet.
    const name = this.#content.title ?? (made ? `/${made.slug}` : '')
    await keepKey(this.id, secret, name).catch(() => undefined)
  }

  retry(n?: number): void {
    if (n === undefined) void this.go()
    else this.#objects.send(n)
  }

  pause(): void {
    this.#objects.pause()
  }

  remove(n: number): void {
    this.#objects.remove(n)
    void this.go()
  }

  provide(chosen: readonly PickedFile[]): PickedFile[] {
    const others = this.#objects.provide(chosen)
    if (others.length < chosen.length) void this.go()
    return others
  }

  handles(): FileSystemFileHandle[] {
    return this.#objects.handles()
  }

  async drop(): Promise<void> {
    this.#isDropped = true
    this.#isDiscarded = true
    this.#objects.end()
    this.#forgetSaved()
    // If the request fails, the sweep of the server deletes the draft later.
    if (this.#step === 'idle' && !this.#isQueued) await this.#calls.discard().catch(() => undefined)
  }

  flush(): void {
    void this.#save({ isForced: true })
  }

  leave({ isForGood }: { isForGood: boolean }): void {
    this.#isDropped = true
    if (isForGood) this.#forgetSaved()
    else this.#letGo?.()
  }

  async #save({ isForced = false } = {}): Promise<void> {
    const { made, share } = this.#calls
    const nowMs = Date.now()
    if (!made || !share) return
    if (!isForced && nowMs - this.#savedAtMs < SAVE_EVERY_MS) return
    this.#savedAtMs = nowMs
    const { id, at } = this
    const facts = { id, at, ...share, slug: made.slug, place: this.#place, content: this.#content }
    await this.#store(() => saveSealed(this.#owner, { ...facts, ...this.#objects.saved() }))
  }

  #forgetSaved(): void {
    const { id } = this
    this.#storing = this.#storing.then(() => forgetSealed(id))
    this.#letGo?.()
    this.#letGo = null
  }

  #state(items: readonly ItemView[]): BundleState {
    if (this.#step === 'published' || this.#step === 'publishing') return this.#step
    if (this.#error !== null) return 'failed'
    return this.#isPreparing ? 'starting' : stateOfItems(items)
  }

  snapshot(): BundleSnapshot {
    const items = this.#objects.views()
    const { title, page } = this.#content
    return {
      key: this.key,
      at: this.at,
      state: this.#state(items),
      title,
      slug: this.#calls.made?.slug ?? null,
      hasPage: page !== null && page !== undefined,
      isSealed: true,
      linkKey: this.#calls.share?.linkKey ?? null,
      error: this.#error,
      items,
      ...totalsOf(items),
    }
  }
}
