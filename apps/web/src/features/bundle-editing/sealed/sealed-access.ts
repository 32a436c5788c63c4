import {
  BUNDLE_OBJECTS_MAX,
  type ManifestInput,
  type OwnManifest,
  type OwnManifestItem,
} from '@dropleaf/contract'
import { type Bytes, type Manifest, type ManifestItem, parseLinkKey } from '@dropleaf/seal'
import { keepKey } from '../../../domains/sealed/keys/key-store.ts'
import { createFileUrls } from '../../../domains/sealed/media/file-urls.ts'
import { sealedErrorText } from '../../../domains/sealed/reading/fault-text.ts'
import { toPreviewError } from '../../../domains/sealed/reading/sealed-fault.ts'
import { noteRevision } from '../../../domains/sealed/reading/seen-revisions.ts'
import { SealedCalls } from '../../../domains/sealed/sending/sealed-calls.ts'
import { SealedObjects } from '../../../domains/sealed/sending/sealed-objects.ts'
import { sendingError } from '../../../domains/sealed/sending/sending-error.ts'
import { stayAwakeWhileSending } from '../../../domains/sealed/sending/wake-lock.ts'
import { currentOwner } from '../../../domains/session/session-owner.ts'
import { statusOf } from '../../../domains/transfers/uploads/upload-status.ts'
import { uploads } from '../../../domains/transfers/uploads/uploads.ts'
import { i18n } from '../../../i18n/i18n.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { readOwnBundle, readOwnRevision } from '../api/own-bundles.queries.ts'
import type { AddedUploads, BundleAccess, NewFile, StartedFile } from '../models/bundle-access.ts'
import { ContentNumbers, toOwnManifest } from './content-numbers.ts'
import { type OpenedDetail, openRevision, readPageText } from './open-revision.ts'
import { buildManifest, longPageOf, planRevision, type RevisionPlan } from './plan-revision.ts'

/** An upload cannot be resumed after a reload, so its attempts are not stored. */
const keepNoAttempt = () => () => Promise.resolve()

const said = (text: string, cause?: unknown) =>
  new ApiError({ kind: 'http', code: 'client.unknown', message: text, cause })

const HALTED: ReadonlySet<string> = new Set(['failed', 'cancelled', 'needsFile', 'paused'])

const numberOf = ({ source }: ManifestInput['items'][number]): number =>
  'object' in source ? source.object : -1

/**
 * Edits an encrypted bundle. This browser decrypts the contents that it reads, and encrypts the contents that it
 * writes.
 */
export class SealedAccess implements BundleAccess {
  readonly isSealed = true
  readonly published: OwnManifest
  readonly #owner = currentOwner()
  readonly #opened: OpenedDetail
  readonly #calls: SealedCalls
  readonly #objects: SealedObjects
  readonly #numbers = new ContentNumbers()
  /** The items of the edited revision by the numbers of their contents. */
  readonly #before: ReadonlyMap<number, ManifestItem>
  /** Ids of the pieces that this browser sends, by the numbers of their contents. */
  readonly #pieces = new Map<number, number>()
  readonly #usedNumbers: Set<number>
  /** Starts at a random number, because another tab can add files to the same bundle. */
  #nextNumber = Math.floor(Math.random() * BUNDLE_OBJECTS_MAX)
  #text: string | null = null
  #urls: ReturnType<typeof createFileUrls> | null = null
  #stopListening: (() => void) | null = null

  constructor(opened: OpenedDetail) {
    const { detail, share, manifest, pageText } = opened
    const { id, slug } = detail
    this.#opened = opened
    this.published = toOwnManifest(manifest, pageText, this.#numbers)
    this.#before = new Map(manifest.items.map((item) => [this.#numbers.numberOf(item, manifest), item]))
    this.#calls = new SealedCalls(id, { slug, share })
    this.#usedNumbers = new Set(detail.object_numbers)
    this.#objects = new SealedObjects({
      batch: { id: `bundle-edit-${id}-${Date.now()}`, kind: 'bundle', directory: '', addedAtMs: Date.now() },
      bundleId: id,
      place: { configId: '', folder: '' },
      keepAttempt: keepNoAttempt,
      takeNumber: () => this.#takeNumber(),
    })
  }

  get id(): string {
    return this.#opened.detail.id
  }

  get revision(): number {
    return this.#opened.detail.revision
  }

  readonly uploads: AddedUploads = {
    entryOf: (key) => this.#objects.view(Number(key))?.entry ?? undefined,
    isStored: (key) => this.#objects.view(Number(key))?.isStored ?? false,
    isHalted: (key) => {
      const view = this.#objects.view(Number(key))
      return !view?.isStored && (!view?.entry || HALTED.has(statusOf(view.entry)))
    },
    retry: (key) => this.#objects.send(Number(key)),
    drop: (keys) => {
      for (const key of keys) this.#objects.remove(Number(key))
      // Files that shared an object with a removed file are sent in another object.
      this.#objects.send()
    },
  }

  #takeNumber(): number {
    if (this.#usedNumbers.size >= BUNDLE_OBJECTS_MAX)
      throw new ApiError({ kind: 'http', code: 'bundle.too_many_objects', message: '' })
    while (this.#usedNumbers.has(this.#nextNumber))
      this.#nextNumber = (this.#nextNumber + 1) % BUNDLE_OBJECTS_MAX
    this.#usedNumbers.add(this.#nextNumber)
    return this.#nextNumber
  }

  #listen(): void {
    stayAwakeWhileSending()
    this.#stopListening ??= uploads.onState((entry) => void this.#objects.noteEntry(entry))
  }

  #add({ path, file }: NewFile, number: number): number {
    const [id = -1] = this.#objects.add([{ path, file, handle: null }])
    this.#pieces.set(number, id)
    return id
  }

  start(files: readonly NewFile[]): readonly StartedFile[] | null {
    if (this.#usedNumbers.size + files.length > BUNDLE_OBJECTS_MAX) return null
    this.#listen()
    const started = files.map((file) => {
      const number = this.#numbers.take()
      return { number, upload: String(this.#add(file, number)) }
    })
    this.#objects.send()
    return started
  }

  #plan({ page, items }: ManifestInput): RevisionPlan {
    const { manifest, pageText } = this.#opened
    return planRevision(manifest, {
      items: items.flatMap((item) => this.#before.get(numberOf(item)) ?? []),
      keepsText: Boolean(page) && page?.text === pageText,
    })
  }

  async whenStored(input: ManifestInput): Promise<boolean> {
    this.#listen()
    const plan = this.#plan(input)
    this.#removeUnused(plan, input)
    const long = longPageOf({ plan, page: input.page ?? null })
    if (long?.text !== (this.#text ?? undefined)) this.#objects.setText(long)
    this.#text = long?.text ?? null
    await this.#sendAgain(plan)
    do {
      this.#objects.send()
      if (!(await this.#whenSent())) return false
    } while (await this.#objects.replaceChanged())
    return true
  }

  #removeUnused({ resent }: RevisionPlan, { items }: ManifestInput): void {
    const wanted = new Set(items.map(numberOf))
    for (const [number, id] of this.#pieces) {
      const before = this.#before.get(number)
      if (wanted.has(number) && (!before || resent.has(before))) continue
      this.#objects.remove(id)
      this.#pieces.delete(number)
    }
  }

  /** Adds the files whose objects are not reused to the files to send. They are encrypted with other keys. */
  async #sendAgain({ resent }: RevisionPlan): Promise<void> {
    for (const item of resent) {
      const number = this.#numbers.numberOf(item, this.#opened.manifest)
      if (this.#pieces.has(number)) continue
      const bytes: Bytes[] = []
      try {
        for await (const piece of this.#opened.reading.open(item).stream()) bytes.push(piece)
      } catch (error) {
        const reason = sealedErrorText(toPreviewError(error))
        throw said(i18n.t('sealing.editing.unreadable', { path: item.path, reason }), error)
      }
      const file = new File(bytes, item.path, { lastModified: item.mtime ?? 0 })
      this.#add({ path: item.path, file }, number)
    }
  }

  #whenSent(): Promise<boolean> {
    return new Promise((resolve) => {
      let stop = () => undefined as void
      const look = () => {
        const isOver = !this.#objects.hasMissing
        const isHalted = () =>
          this.#objects
            .views()
            .some(({ isStored, entry }) => !isStored && (!entry || HALTED.has(statusOf(entry))))
        if (!isOver && !isHalted()) return
        stop()
        resolve(isOver)
      }
      stop = uploads.subscribe(look)
      look()
    })
  }

  #build(input: ManifestInput): Manifest {
    const sent = this.#objects.items()
    return buildManifest(this.#opened.manifest, {
      plan: this.#plan(input),
      title: input.title,
      page: input.page ?? null,
      items: input.items.map((item) => {
        const number = numberOf(item)
        const before = this.#before.get(number) ?? null
        return { path: item.path, before, sent: sent.get(this.#pieces.get(number) ?? -1) ?? null }
      }),
      sent: this.#objects.describe(),
    })
  }

  async publish(input: ManifestInput, expectedRevision: number): Promise<void> {
    // The user can change the text while the files are sent.
    if (!(await this.whenStored(input))) throw said(i18n.t('bundleEditing.stuck'))
    await this.#publish(this.#build(input), expectedRevision)
  }

  async #publish(manifest: Manifest, expectedRevision: number): Promise<void> {
    const { id, share, slug } = { ...this.#opened, ...this.#opened.detail }
    try {
      await this.#calls.publishEdit(manifest, expectedRevision)
    } catch (error) {
      throw sendingError(error)
    }
    noteRevision(id, expectedRevision + 1)
    // After a logout, the key would be stored for another user.
    if (currentOwner() !== this.#owner) return
    // The list shows the title beside the key. The bundle is published even if the key cannot be stored.
    await keepKey(id, parseLinkKey(share.linkKey), manifest.title ?? `/${slug}`).catch(() => undefined)
  }

  async readNewest(signal?: AbortSignal): Promise<{ revision: number; manifest: OwnManifest | null }> {
    const { id, slug, revision, ticket, sealed_manifest: sealed } = await readOwnBundle(this.id, signal)
    if (sealed === null || ticket === null) return { revision, manifest: null }
    return { revision, manifest: await this.#read({ id, slug, revision, ticket, sealed }) }
  }

  async #read(place: Parameters<typeof openRevision>[0]): Promise<OwnManifest> {
    const opened = await this.#open(place)
    try {
      return toOwnManifest(opened.manifest, await readPageText(opened), this.#numbers)
    } catch (error) {
      throw error instanceof ApiError ? error : said(sealedErrorText(error), error)
    }
  }

  /** @throws {ApiError} also for an error of the encryption */
  async #open(place: Parameters<typeof openRevision>[0]): ReturnType<typeof openRevision> {
    try {
      return await openRevision(place, this.#opened.share)
    } catch (error) {
      throw error instanceof ApiError ? error : said(sealedErrorText(error), error)
    }
  }

  async #stored(revision: number, signal?: AbortSignal) {
    const { id, slug } = this.#opened.detail
    const { ticket, sealed_manifest: sealed } = await readOwnRevision(id, revision, signal)
    return { id, slug, revision, ticket, sealed: sealed ?? '' }
  }

  async readRevision(revision: number, signal?: AbortSignal): Promise<OwnManifest> {
    return this.#read(await this.#stored(revision, signal))
  }

  /**
   * A manifest can be decrypted only with the number of its revision. A restored revision gets a new number, so its
   * manifest is encrypted again. Its objects stay as they are.
   */
  async restore(revision: number, expectedRevision: number): Promise<void> {
    const { manifest } = await this.#open(await this.#stored(revision))
    await this.#publish(manifest, expectedRevision)
  }

  async urlOf({ source }: OwnManifestItem): Promise<string> {
    const item = 'object' in source ? this.#before.get(source.object) : undefined
    if (!item) throw new ApiError({ kind: 'http', code: 'bundle.item_not_found', message: '' })
    this.#urls ??= createFileUrls(this.#opened.reading)
    return this.#urls.find(item, 'picture')
  }

  close(): void {
    this.#stopListening?.()
    this.#stopListening = null
    this.#objects.end()
    this.#urls?.close()
    this.#urls = null
  }
}
