import { Readable } from 'node:stream'
import { bundleObjectRoutes, type StoredBundleObject } from '@dropleaf/contract'
import type { Bytes, EncryptingSource, Sealed } from '@dropleaf/seal'
import { type Lanes, type PartToSend, systemClock, type Transport, Upload } from '@dropleaf/uploader'
import { OBJECT_GONE } from '../bundles/object-uploads.ts'
import { addressOf, call, type Connection, headersOf, WORK_SILENCE_MS } from '../client.ts'
import { hasCode } from '../errors.ts'
import { addressesOf, carryOut, judge, OCTETS, sendPart } from '../part-uploads.ts'
import { sendBytes } from '../send-bytes.ts'

export interface SealedObjectUpload {
  /** The draft of the bundle. */
  readonly id: string
  /** Number of the object in the bundle. */
  readonly n: number
  readonly source: EncryptingSource
  /** Folder in the storage. */
  readonly folder: string | null
  /** Whether the parts pass through the server, for machines that cannot reach the storage. */
  readonly isRelayed: boolean
  /** Whether an earlier attempt can have started this upload. */
  readonly isResumed: boolean
  /** Shared by all objects of the bundle. */
  readonly lanes: Lanes
  readonly signal: AbortSignal
  readonly onProgress: (sentBytes: number) => void
  /** @throws {CliError} if a file of the object has changed */
  readonly requireUnchanged: () => Promise<void>
}

type Body = Sealed<Bytes>

const CHUNK_BYTES = 64 * 1024

function* chunksOf(bytes: Body): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

/** Small chunks, so that the progress moves and a silent connection is noticed. */
const streamOf = (bytes: Body): Readable => Readable.from(chunksOf(bytes), { objectMode: false })

/** Sends a part through the server. @returns the etag. @throws {CliError} */
async function relayPart(
  connection: Connection,
  { id, n }: SealedObjectUpload,
  { partNumber, body, sizeBytes, signal, onProgress }: PartToSend<Body>,
): Promise<string | null> {
  const { method, path } = bundleObjectRoutes.part
  const { text } = await sendBytes({
    method,
    address: addressOf(connection.server, path, { params: { id, n, part: partNumber } }),
    headers: { ...headersOf(connection), 'content-type': OCTETS },
    body: streamOf(body),
    sizeBytes,
    silenceMs: WORK_SILENCE_MS,
    signal,
    onProgress,
  })
  const { data } = JSON.parse(text) as { data: { etag: string } }
  return data.etag
}

function sealedTransport(
  connection: Connection,
  input: SealedObjectUpload,
): Transport<Body, StoredBundleObject> {
  const { id, n, source, folder, isRelayed, requireUnchanged } = input
  const params = { id, n }
  return {
    async begin(signal) {
      const { storedBytes: stored, partSizeBytes: part_size } = source.facts
      const body = { objects: [{ n, stored, part_size }], path: folder }
      const { data } = await call(connection, bundleObjectRoutes.begin, { params: { id }, body, signal })
      const [begun] = data.objects
      return {
        id: String(n),
        plan: { partSizeBytes: begun?.part_size ?? 0, partCount: begun?.part_count ?? 0 },
        addresses: addressesOf(begun?.presigned_urls ?? []),
      }
    },
    async look(_id, signal) {
      try {
        const { data } = await call(connection, bundleObjectRoutes.parts, { params, signal })
        return {
          plan: { partSizeBytes: data.part_size, partCount: data.part_count },
          parts: data.parts.map(({ partNumber, size, etag }) => ({ partNumber, etag, sizeBytes: size })),
          addresses: addressesOf(data.presigned_urls),
          isCompleted: data.is_completed,
        }
      } catch (error) {
        if (hasCode(error, ...OBJECT_GONE)) return null
        throw error
      }
    },
    send: (part) =>
      isRelayed
        ? relayPart(connection, input, part)
        : sendPart(connection, { ...part, body: () => streamOf(part.body) }),
    async finish({ signal }) {
      await requireUnchanged()
      const { data } = await call(connection, bundleObjectRoutes.complete, {
        params,
        signal,
        isLongWork: true,
      })
      return data
    },
    async discard() {
      await call(connection, bundleObjectRoutes.remove, { params })
    },
    judge,
  }
}

/** Encrypts and sends one object, part by part. @throws {CliError} or `SealError` */
export async function sendSealedObject(connection: Connection, input: SealedObjectUpload): Promise<void> {
  const { n, source, isResumed, lanes, signal, onProgress } = input
  const { sizeBytes } = source
  const upload = new Upload({
    transport: sealedTransport(connection, input),
    clock: systemClock,
    lanes,
    source,
    ...(isResumed && { saved: { id: String(n), sizeBytes, sentBytes: 0 } }),
  })
  await carryOut(connection, upload, {
    isResumed,
    signal,
    onProgress: ({ doneBytes }) => onProgress(doneBytes),
  })
}
