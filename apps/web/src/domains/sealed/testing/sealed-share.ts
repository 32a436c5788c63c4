import {
  type Bytes,
  createEncryptingSource,
  createShare,
  derivePassword,
  type Manifest,
  type NewShare,
  planPacks,
  joinReaders,
  type PlainReader,
  sealManifest,
} from '@dropleaf/seal'

interface Options {
  readonly id: string
  readonly revision?: number
  readonly title?: string
  /** Text in the manifest. */
  readonly page?: string
  /** Contents by path. */
  readonly files?: Readonly<Record<string, Bytes>>
  readonly types?: Readonly<Record<string, string>>
  readonly password?: string
  /** The share of an earlier revision. */
  readonly share?: NewShare
  /** Number of the first object. */
  readonly first?: number
}

/** The data that a device sends for an encrypted bundle, and the link key that stays on the device. */
export interface SealedShare {
  readonly share: NewShare
  readonly manifest: Manifest
  readonly sealedManifest: Bytes
  readonly objects: readonly { readonly n: number; readonly bytes: Bytes; readonly partSizeBytes: number }[]
}

const readerOf = (bytes: Bytes): PlainReader => ({
  sizeBytes: bytes.length,
  read: async ({ firstByte, endByte }) => bytes.slice(firstByte, endByte),
})

async function encrypt(plain: PlainReader, n: number) {
  const source = createEncryptingSource({ plain })
  const { partSizeBytes } = source.facts
  const bytes = new Uint8Array(source.sizeBytes)
  for (let at = 0; at < bytes.length; at += partSizeBytes)
    bytes.set(await source.slice(at, Math.min(bytes.length, at + partSizeBytes)), at)
  return { n, bytes, partSizeBytes, object: source.describe(n) }
}

/** Encrypts a bundle like a sender. */
export async function makeSealedShare(options: Options): Promise<SealedShare> {
  const { id, revision = 1, title, page, files = {}, types = {}, password = null, first = 0 } = options
  const share = options.share ?? (await createShare({ password, derivePassword }))
  const named = Object.entries(files).map(([path, bytes]) => ({ path, bytes, sizeBytes: bytes.length }))
  const plans = planPacks(named)
  const objects = await Promise.all(
    plans.map((plan, index) =>
      encrypt(joinReaders(plan.files.map(({ file }) => readerOf(file.bytes))), first + index),
    ),
  )
  const manifest: Manifest = {
    v: 1,
    ...(title !== undefined && { title }),
    ...(page !== undefined && { page: { type: 'text/markdown', text: page } }),
    objects: objects.map(({ object }) => object),
    items: plans.flatMap((plan, index) =>
      plan.files.map(({ file, offset }) => ({
        path: file.path,
        type: types[file.path] ?? 'application/octet-stream',
        object: first + index,
        offset,
        size: file.sizeBytes,
      })),
    ),
  }
  const { salt, kdf } = share.facts
  const sealedManifest = await sealManifest({
    manifest,
    manifestKey: share.keys.manifestKey,
    place: { bundleId: id, revision, salts: { salt, kdf } },
  })
  return { share, manifest, sealedManifest, objects }
}
