import {
  type Bytes,
  createSealedSource,
  type Manifest,
  type ManifestItem,
  type ReadRange,
  type SealedSource,
  type ShareSalts,
  sliceSource,
} from '@dropleaf/seal'

export interface Slice {
  readonly object: number
  readonly offset: number
  readonly size: number
}

/** Reads an opened sealed bundle. Contains the keys of the bundle, so it stays in the memory of the page. */
export interface SealedReading {
  readonly bundleId: string
  readonly revision: number
  readonly salts: ShareSalts
  readonly manifest: Manifest
  /** The encrypted manifest as received from the server. */
  readonly sealedManifest: Bytes
  readonly find: (path: string) => ManifestItem | undefined
  /** Reads decrypted bytes. Files of the same object share a cache. */
  readonly open: (slice: Slice) => SealedSource
  /** Reads the encrypted bytes of an object. */
  readonly readStored: (n: number) => ReadRange
}

export function createReading({
  readRange,
  ...facts
}: Pick<SealedReading, 'bundleId' | 'revision' | 'salts' | 'manifest' | 'sealedManifest'> & {
  readonly readRange: (n: number) => ReadRange
}): SealedReading {
  const { items, objects } = facts.manifest
  const byPath = new Map(items.map((item) => [item.path, item]))
  const byNumber = new Map(objects.map((object) => [object.n, object]))
  const opened = new Map<number, SealedSource>()
  const openObject = (n: number): SealedSource => {
    const known = opened.get(n)
    if (known) return known
    const object = byNumber.get(n)
    // The manifest was checked, so it refers only to existing objects.
    if (!object) throw new Error(`There is no object ${n}.`)
    const source = createSealedSource(object, readRange(n))
    opened.set(n, source)
    return source
  }
  return {
    ...facts,
    find: (path) => byPath.get(path),
    open: (slice) => sliceSource(openObject(slice.object), slice),
    readStored: readRange,
  }
}

/** Returns all bytes of a slice. Use only for small slices. */
export const readWhole = (source: SealedSource, signal?: AbortSignal): Promise<Bytes> =>
  source.read(0, source.size, signal)
