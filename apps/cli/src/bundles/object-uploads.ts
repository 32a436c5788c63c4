import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import { bundleErrors, bundleObjectRoutes } from '@dropleaf/contract'
import {
  type Lanes,
  MULTIPART_FROM_BYTES,
  PART_RETRIES,
  RETRY_DELAY_MS,
  systemClock,
  Upload,
} from '@dropleaf/uploader'
import { addressOf, type Connection, headersOf, WORK_SILENCE_MS } from '../client.ts'
import { CliError, EXIT, hasCode } from '../errors.ts'
import { bodyOf, requireUnchanged } from '../local-file.ts'
import { carryOut, OCTETS, sendPart } from '../part-uploads.ts'
import { sendBytes } from '../send-bytes.ts'
import type { TreeItem } from './local-tree.ts'
import { objectTransport } from './object-transport.ts'

export interface ObjectUpload {
  /** The draft of the bundle. */
  readonly id: string
  /** Number of the object in the bundle. */
  readonly n: number
  readonly item: TreeItem
  /** Folder of the storage for the objects; `null` for the default folder. */
  readonly folder: string | null
  /** Whether even large files are sent in one request. */
  readonly isWhole: boolean
  /** Whether an earlier attempt may have started this upload. */
  readonly isResumed: boolean
  /** Upload lanes that all objects of the bundle share. */
  readonly lanes: Lanes
  readonly signal: AbortSignal
  readonly onProgress: (sentBytes: number) => void
}

const filenameOf = ({ path }: TreeItem): string => path.slice(path.lastIndexOf('/') + 1)

async function sendWhole(connection: Connection, input: ObjectUpload): Promise<void> {
  const { id, n, item, folder, signal, onProgress } = input
  const { file } = item
  const { method, path } = bundleObjectRoutes.put
  const query = { filename: filenameOf(item), path: folder }
  for (let failures = 0; ;) {
    try {
      await sendBytes({
        method,
        address: addressOf(connection.server, path, { params: { id, n }, query }),
        headers: { ...headersOf(connection), 'content-type': OCTETS },
        body: bodyOf(file),
        sizeBytes: file.isUnsized ? null : file.sizeBytes,
        silenceMs: WORK_SILENCE_MS,
        signal,
        onProgress,
      })
      break
    } catch (error) {
      signal.throwIfAborted()
      // The object has already arrived. Either the response to a request was lost, or an earlier attempt sent the
      // same files.
      if (hasCode(error, bundleErrors.object_exists.code)) break
      failures += 1
      const mayTryAgain = error instanceof CliError && error.exitCode === EXIT.network
      if (!mayTryAgain || failures > PART_RETRIES) throw error
      await sleep(RETRY_DELAY_MS * failures, undefined, { signal })
    }
  }
  // Skips files without a known size, such as those in /proc. Their modification time changes each time they are
  // examined.
  if (!file.isUnsized) await requireUnchanged(file)
}

async function sendInParts(connection: Connection, input: ObjectUpload): Promise<void> {
  const { id, n, item, folder, isResumed, lanes, signal, onProgress } = input
  const { file } = item
  const upload = new Upload({
    transport: objectTransport<() => Readable>(connection, {
      id,
      object: { n, filename: filenameOf(item), size: file.sizeBytes },
      folder,
      send: (part) => sendPart(connection, part),
      requireUnchanged: () => requireUnchanged(file),
    }),
    clock: systemClock,
    lanes,
    source: {
      sizeBytes: file.sizeBytes,
      slice: (firstByte, endByte) => () => bodyOf(file, { firstByte, endByte }),
    },
    ...(isResumed && { saved: { id: String(n), sizeBytes: file.sizeBytes, sentBytes: 0 } }),
  })
  await carryOut(connection, upload, {
    isResumed,
    signal,
    onProgress: ({ doneBytes }) => onProgress(doneBytes),
  })
}

/** Uploads the file of one item. A small file is sent in one request, a larger file in parts. @throws {CliError} */
export const sendObject = (connection: Connection, input: ObjectUpload): Promise<void> =>
  input.isWhole || input.item.file.sizeBytes < MULTIPART_FROM_BYTES
    ? sendWhole(connection, input)
    : sendInParts(connection, input)
