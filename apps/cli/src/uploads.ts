import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { fileErrors, filePartRoutes, fileRoutes, type Opening } from '@dropleaf/contract'
import {
  createLanes,
  isSavedAlive,
  PARTS_AT_ONCE,
  systemClock,
  type Transport,
  Upload,
} from '@dropleaf/uploader'
import { addressOf, call, type Connection, headersOf, WORK_SILENCE_MS } from './client.ts'
import { hasCode } from './errors.ts'
import { bodyOf, type LocalFile, requireUnchanged } from './local-file.ts'
import { addressesOf, carryOut, judge, OCTETS, sendPart, type ShowProgress } from './part-uploads.ts'
import { sendBytes } from './send-bytes.ts'
import type { StateStore } from './state.ts'

/** Options of the share, as sent to the server. */
export interface ShareSettings {
  readonly filename: string
  readonly slug: string | null
  readonly remark: string | null
  readonly password: string | null
  readonly expires_in: number | null
  readonly max_views: number | null
  readonly opening: Opening | null
  readonly pin: string | null
  readonly path: string | null
}

export interface Shared {
  readonly slug: string
  readonly sizeBytes: number
}

/** Stored state of a multipart upload. The server knows which parts have arrived. */
export interface SavedParts {
  readonly id: string
  readonly sizeBytes: number
  readonly modifiedAtMs: number
  /**
   * Digest of the settings. A different digest means a different share. Existing files use this name for the field.
   */
  readonly wishes: string
  readonly savedAtMs: number
}

interface WholeBody {
  readonly settings: ShareSettings
  readonly body: Readable
  /** `null` if the size is unknown until the end. */
  readonly sizeBytes: number | null
  readonly onProgress: ShowProgress
}

/** Builds a multipart form. Its fields come before the bytes of the file. */
function formAround({ filename, ...fields }: ShareSettings) {
  const boundary = `dropleaf-${randomUUID()}`
  const name = filename.replaceAll(/[\r\n"]/g, (letter) => encodeURIComponent(letter))
  const head = Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(
      ([field, value]) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
    )
  head.push(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${OCTETS}\r\n\r\n`,
  )
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(head.join('')),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  }
}

async function* joined(head: Buffer, body: Readable, tail: Buffer): AsyncGenerator<Buffer> {
  yield head
  yield* body as AsyncIterable<Buffer>
  yield tail
}

/**
 * Sends the body in one request. The body is raw, or a form if the URL would otherwise contain a password or a PIN.
 */
export async function sendWhole(connection: Connection, input: WholeBody): Promise<Shared> {
  const { settings, body, sizeBytes, onProgress } = input
  const { filename, password, pin, ...query } = settings
  const isSecret = password !== null || pin !== null
  const common = {
    onProgress: (sentBytes: number) =>
      onProgress({ doneBytes: Math.min(sentBytes, sizeBytes ?? sentBytes), totalBytes: sizeBytes }),
  }
  const { method, path } = isSecret ? fileRoutes.uploadForm : fileRoutes.uploadDirect
  const form = isSecret ? formAround(settings) : null
  const { text } = await sendBytes({
    ...common,
    method,
    address: addressOf(connection.server, path, form ? {} : { params: { filename }, query }),
    headers: { ...headersOf(connection), 'content-type': form?.type ?? OCTETS },
    body: form ? Readable.from(joined(form.head, body, form.tail), { objectMode: false }) : body,
    sizeBytes: form && sizeBytes !== null ? form.head.length + sizeBytes + form.tail.length : sizeBytes,
    silenceMs: WORK_SILENCE_MS,
  })
  const { data } = JSON.parse(text) as { data: { slug: string; size: number } }
  return { slug: data.slug, sizeBytes: data.size }
}

/** Error codes for an upload that the server has discarded or does not know. */
const GONE = [fileErrors.not_found.code, fileErrors.upload_expired.code]

async function giveUp(connection: Connection, id: string): Promise<void> {
  await call(connection, filePartRoutes.abort, { body: { file_id: id } })
}

interface PartsInput {
  readonly file: LocalFile
  readonly settings: ShareSettings
  /** Called as soon as the server has created the upload, before any byte is sent. */
  readonly onBegun: (id: string) => Promise<void>
}

function partsTransport(
  connection: Connection,
  { file, settings, onBegun }: PartsInput,
): Transport<() => Readable, Shared> {
  return {
    async begin(signal) {
      const { data } = await call(connection, filePartRoutes.init, {
        body: { ...settings, size: file.sizeBytes },
        signal,
      })
      try {
        await onBegun(data.file_id)
      } catch (error) {
        // Cancels the upload. Without saved state, it could not be resumed, but its link would stay reserved.
        await giveUp(connection, data.file_id).catch(() => undefined)
        throw error
      }
      return {
        id: data.file_id,
        plan: { partSizeBytes: data.part_size, partCount: data.part_count },
        addresses: addressesOf(data.presigned_urls),
      }
    },
    async look(id, signal) {
      try {
        const { data } = await call(connection, filePartRoutes.parts, { query: { file_id: id }, signal })
        return {
          plan: { partSizeBytes: data.part_size, partCount: data.part_count },
          parts: data.parts.map(({ partNumber, size, etag }) => ({ partNumber, etag, sizeBytes: size })),
          addresses: addressesOf(data.presigned_urls),
          isCompleted: data.is_completed,
        }
      } catch (error) {
        if (!hasCode(error, ...GONE)) throw error
        // Discards the abandoned upload, because it can reserve the link that the next upload needs.
        if (!hasCode(error, fileErrors.not_found.code)) await giveUp(connection, id)
        return null
      }
    },
    send: (part) => sendPart(connection, part),
    async finish({ id, signal }) {
      await requireUnchanged(file)
      const { data } = await call(connection, filePartRoutes.complete, {
        body: { file_id: id ?? '' },
        signal,
        isLongWork: true,
      })
      return { slug: data.slug, sizeBytes: data.size }
    },
    discard: (id) => giveUp(connection, id),
    judge,
  }
}

interface LargeFile {
  readonly file: LocalFile
  readonly settings: ShareSettings
  readonly state: StateStore<SavedParts>
  readonly onProgress: ShowProgress
  readonly onResume: (doneBytes: number) => void
}

const digestOf = (settings: ShareSettings) =>
  createHash('sha256').update(JSON.stringify(settings)).digest('hex')

/** Finds an earlier attempt at the same upload. Discards an attempt with other content or settings. */
async function findSaved(
  connection: Connection,
  { file, settings, state }: LargeFile,
): Promise<SavedParts | null> {
  const saved = await state.find()
  if (saved === null) return null
  const isSame =
    saved.sizeBytes === file.sizeBytes &&
    saved.modifiedAtMs === file.modifiedAtMs &&
    saved.wishes === digestOf(settings)
  if (isSame && isSavedAlive(saved, Date.now())) return saved
  await giveUp(connection, saved.id).catch(() => undefined)
  await state.forget()
  return null
}

/** Sends a file in parts, or resumes an earlier attempt. @throws {CliError} */
export async function sendInParts(connection: Connection, input: LargeFile): Promise<Shared> {
  const { file, settings, state, onProgress, onResume } = input
  const saved = await findSaved(connection, input)
  const onBegun = (id: string) =>
    state.keep({
      id,
      sizeBytes: file.sizeBytes,
      modifiedAtMs: file.modifiedAtMs,
      wishes: digestOf(settings),
      savedAtMs: Date.now(),
    })
  const upload = new Upload({
    transport: partsTransport(connection, { file, settings, onBegun }),
    clock: systemClock,
    lanes: createLanes(PARTS_AT_ONCE),
    source: {
      sizeBytes: file.sizeBytes,
      slice: (firstByte, endByte) => () => bodyOf(file, { firstByte, endByte }),
    },
    ...(saved && { saved: { id: saved.id, sizeBytes: saved.sizeBytes, sentBytes: 0 } }),
  })
  const shared = await carryOut(connection, upload, { isResumed: saved !== null, onProgress, onResume })
  // Ignores errors, because the file is shared, and leftover state does no harm.
  await state.forget().catch(() => undefined)
  return shared
}
