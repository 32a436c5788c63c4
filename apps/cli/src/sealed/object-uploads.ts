import { Readable } from 'node:stream'
import { bundleObjectRoutes } from '@dropleaf/contract'
import type { Bytes, EncryptingSource, Sealed } from '@dropleaf/seal'
import { type Lanes, type PartToSend, systemClock, Upload } from '@dropleaf/uploader'
import { objectTransport } from '../bundles/object-transport.ts'
import { addressOf, type Connection, headersOf, WORK_SILENCE_MS } from '../client.ts'
import { carryOut, OCTETS, sendPart } from '../part-uploads.ts'
import { sendBytes } from '../send-bytes.ts'

export interface SealedObjectUpload {
  /** The draft of the bundle. */
  readonly id: string
  /** Number of the object in the bundle. */
  readonly n: number
  readonly source: EncryptingSource
  /** Folder of the storage for the objects; `null` for the default folder. */
  readonly folder: string | null
  /** Whether the server forwards the parts, for machines that cannot reach the storage. */
  readonly isRelayed: boolean
  /** Whether an earlier attempt may have started this upload. */
  readonly isResumed: boolean
  /** Upload lanes that all objects of the bundle share. */
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

/** Streams a part in small chunks, so that the progress updates and a stalled connection is detected. */
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

/** Encrypts and sends one object, part by part. @throws {CliError} or `SealError` */
export async function sendSealedObject(connection: Connection, input: SealedObjectUpload): Promise<void> {
  const { id, n, source, folder, isRelayed, isResumed, lanes, signal, onProgress, requireUnchanged } = input
  const { sizeBytes, facts } = source
  const upload = new Upload({
    transport: objectTransport<Body>(connection, {
      id,
      object: { n, stored: facts.storedBytes, part_size: facts.partSizeBytes },
      folder,
      send: (part) =>
        isRelayed
          ? relayPart(connection, input, part)
          : sendPart(connection, { ...part, body: () => streamOf(part.body) }),
      requireUnchanged,
    }),
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
