import type { Bytes, EncryptingState, Manifest, ManifestItem, Sealed } from '@dropleaf/seal'
import { isSameFile, systemClock, Upload } from '@dropleaf/uploader'
import { i18n } from '../../../i18n/i18n.ts'
import type { ItemView } from '../../bundles/bundle-snapshot.ts'
import type { BundlePlace } from '../../bundles/bundle-transports.ts'
import type { BundleFile } from '../../bundles/draft.ts'
import { matchChosen } from '../../bundles/match-chosen.ts'
import type { BundleContent } from '../../bundles/saved-bundles.ts'
import type { PickedFile } from '../../transfers/uploads/picked-files.ts'
import { isPassing } from '../../transfers/uploads/upload-calls.ts'
import { uploadLanes } from '../../transfers/uploads/upload-lanes.ts'
import type {
  NewUpload,
  UploadBatch,
  UploadEntry,
  UploadResult,
} from '../../transfers/uploads/upload-store.ts'
import { uploads } from '../../transfers/uploads/uploads.ts'
import { entryOfPiece, isSpoilt, nameOfPack } from './object-entries.ts'
import {
  findChange,
  itemOfPiece,
  pageOfPiece,
  type Piece,
  pieceOfFile,
  pieceOfText,
  placePieces,
} from './pieces.ts'
import { isPlaced, PieceTable } from './piece-table.ts'
import type { SavedContents, SavedSealed } from './saved-sealed.ts'
import { type KeepAttempt, newObjectState, SealedObject } from './sealed-object.ts'
import { sealedTransport } from './sealed-transport.ts'

type SealedUpload = Upload<Sealed<Bytes>, UploadResult>

/** An object and its upload. */
interface Sending {
  readonly n: number
  readonly object: SealedObject
  /** Whether the server may know the object from before a reload. */
  readonly isOld: boolean
  isStored: boolean
  upload: SealedUpload | null
  /** Key in the list of uploads. */
  key: string | null
  /** Number of bytes that were sent before a reload. */
  readonly sentBytes: number
  readonly fingerprint: string | null
}

interface Setting {
  readonly batch: UploadBatch
  readonly bundleId: string
  readonly place: BundlePlace
  readonly keepAttempt: (n: number) => KeepAttempt
  /** Returns an unused number for a new object. Absent for a new bundle, whose objects are numbered from 0. */
  readonly takeNumber?: () => number
}

/** The files of one encrypted bundle, the objects that contain them, and the uploads of the objects. */
export class SealedObjects {
  readonly #setting: Setting
  readonly #pieces = new PieceTable()
  readonly #sendings = new Map<number, Sending>()
  readonly #byKey = new Map<string, Sending>()
  #nextObject = 0

  constructor(setting: Setting) {
    this.#setting = setting
  }

  /** @returns the ids of the pieces */
  add(files: readonly BundleFile[]): number[] {
    const pieces = files.map((file) => pieceOfFile(this.#pieces.newId(), file))
    for (const piece of pieces) this.#pieces.put(piece)
    return pieces.map(({ id }) => id)
  }

  /** Replaces the text that is sent as an object, because it is too long for the manifest; `null` removes it. */
  setText(page: BundleContent['page'] | null): void {
    const before = this.#pieces.all().find(({ path }) => path === null)
    const next = page && pieceOfText(before?.id ?? this.#pieces.newId(), page)
    if (before) this.remove(before.id)
    if (next) this.#pieces.put(next)
  }

  /** Returns the files without the text, for {@link addAgain} of a new bundle. */
  files(): readonly Piece[] {
    return this.#pieces.all().filter(({ path }) => path !== null)
  }

  /** Adds files of another bundle. The user may have to choose some of the files again. */
  addAgain(files: readonly Piece[]): void {
    for (const piece of files)
      this.#pieces.put({ ...piece, id: this.#pieces.newId(), object: null, offset: 0 })
  }

  restore({ pieces, objects, handles, content }: SavedSealed): void {
    for (const { id, ...piece } of pieces) {
      const text = piece.path === null && content.page ? new Blob([content.page.text]) : null
      this.#pieces.put({ ...piece, id, bytes: text, handle: handles.get(id) ?? null })
    }
    for (const { n, state, ...known } of objects) this.#begin(n, state, { isOld: true, ...known })
    this.#nextObject = Math.max(-1, ...this.#sendings.keys()) + 1
  }

  #begin(
    n: number,
    state: EncryptingState,
    known: Pick<Sending, 'isOld' | 'isStored' | 'sentBytes' | 'fingerprint'>,
  ): void {
    const { bundleId, keepAttempt } = this.#setting
    const object = new SealedObject(`${bundleId}/${n}`, state, keepAttempt(n))
    this.#sendings.set(n, { n, object, upload: null, key: null, ...known })
  }

  /** Creates objects for the pieces that are not assigned to an object. */
  plan(): void {
    const open = this.#pieces.all().filter((piece) => !isPlaced(piece))
    const takeNext = () => (this.#nextObject += 1) - 1
    const plans = placePieces(open, this.#setting.takeNumber ?? takeNext)
    for (const { n, sizeBytes, pieces } of plans) {
      const known = { isOld: false, isStored: false, sentBytes: 0, fingerprint: null }
      this.#begin(n, newObjectState(sizeBytes), known)
      for (const piece of pieces) this.#pieces.put(piece)
    }
  }

  #filesOf(n: number): readonly Blob[] | null {
    const files = this.#pieces.of(n).map(({ bytes }) => bytes)
    const present = files.filter((bytes) => bytes !== null)
    return present.length === files.length ? present : null
  }

  /** Starts or resumes the uploads of all missing objects, or only of the object that contains the piece `only`. */
  send(only?: number): void {
    this.#replaceSpoilt()
    this.plan()
    const of = only === undefined ? null : this.#pieces.get(only)?.object
    const missing = [...this.#sendings.values()].filter(
      ({ n, isStored }) => !isStored && (of === null || n === of),
    )
    const fresh = missing.filter(({ key }) => {
      const entry = key === null ? undefined : uploads.get(key)
      return entry === undefined || entry.state === 'aborted'
    })
    const entries = uploads.add(fresh.map((sending) => this.#newUpload(sending)))
    for (const [index, sending] of fresh.entries()) this.#setKey(sending, entries[index]?.key ?? null)
    uploads.retry(missing.flatMap(({ key }) => key ?? []))
  }

  #setKey(sending: Sending, key: string | null): void {
    sending.key = key
    if (key !== null) this.#byKey.set(key, sending)
  }

  #newUpload(sending: Sending): NewUpload {
    const { n, object, key, isOld, sentBytes, fingerprint } = sending
    const { batch, bundleId, place } = this.#setting
    const files = this.#filesOf(n)
    const id = isOld ? `${bundleId}/${n}` : null
    const upload: SealedUpload = new Upload({
      transport: sealedTransport({ bundleId, n, object, place }),
      clock: systemClock,
      lanes: uploadLanes,
      source: files && object.sourceOf(files),
      ...((isOld || !files) && {
        saved: {
          id,
          sizeBytes: object.place.storedBytes,
          sentBytes,
          ...(fingerprint !== null && { fingerprint }),
        },
      }),
    })
    sending.upload = upload
    const pieces = this.#pieces.of(n)
    const [first] = pieces
    const handle = pieces.length === 1 ? first?.handle : null
    const path = pieces.length === 1 ? (first?.path ?? null) : null
    const start = (path?.lastIndexOf('/') ?? -1) + 1
    return {
      ...(key !== null && { key }),
      batch,
      name: path?.slice(start) ?? nameOfPack(pieces),
      folder: path?.slice(0, start) ?? '',
      file: first?.file ?? { name: '', size: 0, lastModified: 0 },
      upload,
      takeFile: (file) => this.#take(n, file),
      canContinue: true,
      isPassing: ({ error }) => isPassing(error),
      ...(handle && { handle }),
    }
  }

  /** Removes the objects that must be sent again with other keys. Their pieces then wait for new objects. */
  #replaceSpoilt(): void {
    for (const sending of this.#sendings.values()) {
      const entry = sending.key === null ? undefined : uploads.get(sending.key)
      if (entry && isSpoilt(entry)) this.#dissolve(sending.n)
    }
  }

  /** Removes an object. Its pieces then wait for another object. */
  #dissolve(n: number): void {
    const sending = this.#sendings.get(n)
    this.#sendings.delete(n)
    for (const piece of this.#pieces.of(n)) this.#pieces.put({ ...piece, object: null, offset: 0 })
    sending?.object.close()
    if (sending?.key) this.#end([sending.key])
  }

  /** @returns whether the state of the bundle may have changed */
  noteEntry({ key, batch, state, hasSource, error }: UploadEntry): boolean {
    if (batch !== this.#setting.batch) return false
    const sending = this.#byKey.get(key)
    if (!sending || this.#sendings.get(sending.n) !== sending) return true
    if (state === 'completed') {
      sending.isStored = true
      sending.object.close()
    } else if (!hasSource && error !== null) {
      // The upload has rejected the file that the user chose, because its contents differ.
      for (const piece of this.#pieces.of(sending.n))
        if (piece.path !== null) this.#pieces.put({ ...piece, bytes: null })
    }
    return true
  }

  get hasMissing(): boolean {
    return this.#pieces.hasUnplaced || [...this.#sendings.values()].some(({ isStored }) => !isStored)
  }

  /**
   * Removes a piece. The other pieces of its object are sent again under a new key, because readers get the key of the
   * whole object.
   */
  remove(id: number): void {
    const object = this.#pieces.get(id)?.object ?? null
    this.#pieces.remove(id)
    if (object !== null) this.#dissolve(object)
  }

  /** @returns the files that do not belong to this bundle */
  provide(chosen: readonly PickedFile[]): PickedFile[] {
    const missing = this.#missingPieces().map((piece) => ({ ...piece, path: piece.path ?? '' }))
    const { found, others } = matchChosen(missing, chosen)
    const objects = new Set<number>()
    for (const [{ id, object }, { file, handle }] of found) {
      const piece = this.#pieces.get(id)
      if (piece) this.#pieces.put({ ...piece, bytes: file, handle: handle ?? piece.handle })
      if (object !== null) objects.add(object)
    }
    for (const n of objects) this.#provideTo(n)
    return others
  }

  /** Sets the file that the user has chosen for the upload of one object. */
  #take(n: number, file: Blob): void {
    if (!(file instanceof File)) return
    const open = this.#pieces.of(n).filter(({ path, bytes }) => path !== null && bytes === null)
    const piece = open.find((one) => isSameFile(file, one.file))
    if (piece) this.#pieces.put({ ...piece, bytes: file })
    this.#provideTo(n)
  }

  /** Passes the files of an object to its upload when the user has chosen all of them. */
  #provideTo(n: number): void {
    const sending = this.#sendings.get(n)
    const files = this.#filesOf(n)
    if (sending && files) sending.upload?.provide(sending.object.sourceOf(files))
  }

  #missingPieces(): Piece[] {
    return this.#pieces
      .all()
      .filter(({ path, bytes, object }) => path !== null && bytes === null && !this.#isStored(object))
  }

  #isStored(object: number | null): boolean {
    return object !== null && this.#sendings.get(object)?.isStored === true
  }

  handles(): FileSystemFileHandle[] {
    return this.#missingPieces().flatMap(({ handle }) => handle ?? [])
  }

  /**
   * Removes the objects of files that have changed since the user chose them. The files of these objects then wait for
   * new objects.
   * @returns whether any file has changed, or can no longer be read
   */
  async replaceChanged(): Promise<boolean> {
    let hasChanged = false
    for (const piece of this.#pieces.all()) {
      const change = await findChange(piece)
      const { object } = this.#pieces.get(piece.id) ?? piece
      if (change === null) continue
      hasChanged = true
      // The object is already removed if it contains another changed file.
      if (object !== null) this.#dissolve(object)
      if (change === 'lost') continue
      const { name, size, lastModified } = change
      const file = { name, size, lastModified }
      this.#pieces.put({ ...piece, file, bytes: change, object: null, offset: 0 })
    }
    return hasChanged
  }

  /** Returns the objects, items and text for the manifest. @throws {SealError} `object.incomplete` */
  describe(): Pick<Manifest, 'objects' | 'items' | 'page'> {
    const text = this.#pieces.placed().find(({ path }) => path === null)
    return {
      objects: [...this.#sendings.values()].map(({ n, object }) => object.describe(n)),
      items: [...this.items().values()],
      ...(text && { page: pageOfPiece(text) }),
    }
  }

  /** Returns the entries of the files in the manifest, by the ids of their pieces. */
  items(): Map<number, ManifestItem> {
    const files = this.#pieces.placed().filter(({ path }) => path !== null)
    return new Map(files.map((piece) => [piece.id, itemOfPiece(piece)]))
  }

  saved(): Pick<SavedContents, 'pieces' | 'objects'> & Pick<SavedSealed, 'handles'> {
    const all = this.#pieces.all()
    return {
      pieces: all.map(({ bytes: _bytes, handle: _handle, ...piece }) => piece),
      objects: [...this.#sendings.values()].map(({ n, object, isStored, key, sentBytes, fingerprint }) => {
        const entry = key === null ? undefined : uploads.get(key)
        return {
          n,
          state: object.state,
          isStored,
          sentBytes: entry?.sentBytes ?? sentBytes,
          fingerprint: entry?.fingerprint ?? fingerprint,
        }
      }),
      handles: new Map(all.flatMap(({ id, handle }) => (handle ? [[id, handle] as const] : []))),
    }
  }

  views(): ItemView[] {
    const seen = new Set<number>()
    return this.#pieces.all().map((piece) => {
      const { object } = piece
      const isFirst = object === null || !seen.has(object)
      if (object !== null) seen.add(object)
      return this.#viewOf(piece, isFirst)
    })
  }

  /** Returns the view of one piece. */
  view(id: number): ItemView | undefined {
    const piece = this.#pieces.get(id)
    return piece && this.#viewOf(piece, true)
  }

  #viewOf(piece: Piece, isFirst: boolean): ItemView {
    const { id: n, path, file, object } = piece
    const key = (object !== null && this.#sendings.get(object)?.key) || null
    const entry = key === null ? undefined : uploads.get(key)
    return {
      n,
      path: path ?? i18n.t('sealing.text'),
      file,
      isStored: this.#isStored(object),
      entry: entry ? entryOfPiece(entry, piece, isFirst) : null,
    }
  }

  pause(): void {
    uploads.pause(this.#keys())
  }

  /** Ends all uploads. */
  end(): void {
    for (const { object } of this.#sendings.values()) object.close()
    this.#end(this.#keys())
  }

  #end(keys: readonly string[]): void {
    uploads.cancel(keys)
    uploads.forget(keys)
  }

  #keys(): string[] {
    return [...this.#sendings.values()].flatMap(({ key }) => key ?? [])
  }
}
