import { createArchiveNames } from '@dropleaf/contract'
import {
  type Bytes,
  formatPortableFacts,
  type ManifestItem,
  PORTABLE_FACTS_NAME,
  PORTABLE_MANIFEST_NAME,
  portableObjectName,
  toBase64url,
} from '@dropleaf/seal'
import type { ZipMember } from '../../../lib/zip-stream.ts'
import type { SealedReading } from '../reading/sealed-reading.ts'
import type { SaveContents } from './pour.ts'

/** Number of encrypted bytes that each request of an encrypted copy reads. */
const COPY_BYTES = 8 * 1024 * 1024
/** Number of bytes for the headers of one archive member. Used to estimate the size of the archive. */
const MEMBER_BYTES = 400

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/**
 * Returns a hash that identifies a file in an interrupted download. With a hash, neither the name nor the key of the
 * file is stored. Two different contents can have the same revision number, so the hash covers the key and the salts of
 * the object, which differ for each encryption.
 */
async function resumeKeyOf(
  { bundleId, revision, manifest }: SealedReading,
  item: ManifestItem,
): Promise<string> {
  const object = manifest.objects.find(({ n }) => n === item.object)
  const text = JSON.stringify([bundleId, revision, object, item.offset, item.size])
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return toBase64url(new Uint8Array(digest))
}

export async function fileOf(reading: SealedReading, item: ManifestItem): Promise<SaveContents> {
  const source = reading.open(item)
  return {
    name: nameOf(item.path),
    sizeBytes: item.size,
    isSizeExact: true,
    resumeKey: await resumeKeyOf(reading, item),
    stream: (offset, signal) => source.stream({ offset, length: item.size - offset }, signal),
  }
}

/**
 * Creates a stream that requests a piece only when its reader needs one. If the reader cancels, the source stops too.
 */
function streamOf(make: (signal: AbortSignal) => AsyncIterable<Bytes>): ReadableStream<Bytes> {
  const left = new AbortController()
  let pieces: AsyncIterator<Bytes> | null = null
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        pieces ??= make(left.signal)[Symbol.asyncIterator]()
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        left.abort()
        await pieces?.return?.(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

async function* piecesOf(
  list: (signal: AbortSignal) => Iterable<ZipMember>,
  signal: AbortSignal,
): AsyncGenerator<Bytes> {
  const { zipStream } = await import('../../../lib/zip-stream.ts')
  const reader = zipStream((unread) => list(AbortSignal.any([signal, unread]))).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const estimate = (members: readonly { readonly size: number; readonly name: string }[]) =>
  members.reduce((sum, { size, name }) => sum + size + MEMBER_BYTES + name.length * 6, 0)

const zipName = (name: string) => `${name.replaceAll(/[/\\]/g, '_').trim() || 'files'}.zip`

/** Returns files as one archive. The browser creates the archive, because the server cannot read the files. */
export function archiveOf(
  reading: SealedReading,
  {
    items,
    folder,
    name,
  }: {
    readonly items: readonly ManifestItem[]
    /** Folder that becomes the top folder of the archive; empty for the whole bundle. */
    readonly folder: string
    readonly name: string
  },
): SaveContents {
  const above = folder.slice(0, folder.length - nameOf(folder).length).length
  const rename = createArchiveNames().forRoot()
  const members = items.map((item) => ({ item, name: rename(item.path.slice(above)), size: item.size }))
  return {
    name: zipName(name),
    sizeBytes: estimate(members),
    isSizeExact: false,
    resumeKey: null,
    stream: (_offset, signal) =>
      piecesOf(
        (unread) =>
          members.map(({ item, name: inArchive }) => ({
            name: inArchive,
            input: streamOf((gone) => reading.open(item).stream({}, AbortSignal.any([unread, gone]))),
            modifiedAt: new Date(item.mtime ?? Date.now()),
            sizeBytes: item.size,
          })),
        signal,
      ),
  }
}

async function* storedBytes(
  reading: SealedReading,
  { n, stored }: { readonly n: number; readonly stored: number },
  signal: AbortSignal,
): AsyncGenerator<Bytes> {
  const read = reading.readStored(n)
  for (let firstByte = 0; firstByte < stored; firstByte += COPY_BYTES) {
    const endByte = Math.min(stored, firstByte + COPY_BYTES)
    const { bytes, objectBytes } = await read({ firstByte, endByte, signal })
    if (bytes.length !== endByte - firstByte || objectBytes !== stored)
      throw new Error('The size of the stored object has changed.')
    yield bytes
  }
}

const onlyOnce = (bytes: Bytes) => new Blob([bytes]).stream() as ReadableStream<Bytes>

/**
 * Returns the stored, encrypted bytes of a whole bundle as one archive. The command line and the offline page open
 * the archive with the key, without a server.
 */
export function encryptedCopyOf(reading: SealedReading, name: string): SaveContents {
  const { bundleId: id, revision, salts, manifest, sealedManifest } = reading
  const objects = manifest.objects.map(({ n, stored }) => ({ n, stored, file: portableObjectName(n) }))
  const facts = new TextEncoder().encode(formatPortableFacts({ id, revision, salts, objects }))
  const modifiedAt = new Date()
  const small = [
    { name: PORTABLE_FACTS_NAME, bytes: facts },
    { name: PORTABLE_MANIFEST_NAME, bytes: sealedManifest },
  ]
  return {
    name: `${zipName(name).slice(0, -'.zip'.length)}.dropleaf.zip`,
    sizeBytes: estimate([
      ...small.map(({ name: member, bytes }) => ({ name: member, size: bytes.length })),
      ...objects.map(({ file, stored }) => ({ name: file, size: stored })),
    ]),
    isSizeExact: false,
    resumeKey: null,
    stream: (_offset, signal) =>
      piecesOf(
        (unread) => [
          ...small.map(({ name: member, bytes }) => ({
            name: member,
            input: onlyOnce(bytes),
            modifiedAt,
            sizeBytes: bytes.length,
          })),
          ...objects.map((object) => ({
            name: object.file,
            input: streamOf((gone) => storedBytes(reading, object, AbortSignal.any([unread, gone]))),
            modifiedAt,
            sizeBytes: object.stored,
          })),
        ],
        signal,
      ),
  }
}
