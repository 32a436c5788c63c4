import { createWriteStream } from 'node:fs'
import { rename, stat, truncate } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { BYTES_HEADERS, request, refusalOf, unreachable } from './client.ts'
import { CliError, EXIT } from './errors.ts'
import { formatBytes, type ProgressState } from './progress.ts'
import type { StateStore } from './state.ts'

/** What is kept of a download until all of it has come. */
export interface SavedDownload {
  /** May be a short-lived one. */
  readonly address: string
  readonly target: string
  readonly sizeBytes: number
  /** Of the version that it is a part of, as it came. */
  readonly etag: string
}

const TRIES = 4
const RETRY_DELAY_MS = 1000

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0

export const partFileOf = (target: string): string => `${target}.part`

interface Fetching {
  readonly saved: SavedDownload
  readonly state: StateStore<SavedDownload>
  readonly onProgress: (state: ProgressState) => void
}

/** Asks for what is missing, and appends it. Another version than the one begun is fetched from its beginning. */
async function fetchRest({ saved, state, onProgress }: Fetching): Promise<number> {
  const part = partFileOf(saved.target)
  const firstByte = await sizeOf(part)
  if (firstByte > 0 && firstByte === saved.sizeBytes) return saved.sizeBytes
  const answer = await request(saved.address, {
    headers: {
      ...BYTES_HEADERS,
      ...(firstByte > 0 && { range: `bytes=${firstByte}-`, 'if-range': saved.etag }),
    },
  })
  if (!answer.ok || answer.body === null)
    throw refusalOf(saved.address, { status: answer.status, text: await answer.text() })
  const isRest = answer.status === 206
  const from = isRest ? firstByte : 0
  const totalBytes = isRest
    ? saved.sizeBytes
    : Number(answer.headers.get('content-length') ?? saved.sizeBytes)
  if (!isRest) {
    if (firstByte > 0) await truncate(part, 0)
    await state.keep({ ...saved, sizeBytes: totalBytes, etag: answer.headers.get('etag') ?? '' })
  }
  let doneBytes = from
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      doneBytes += chunk.length
      onProgress({ doneBytes, totalBytes })
      done(null, chunk)
    },
  })
  const body = Readable.fromWeb(answer.body)
  let isOurs = false
  const file = createWriteStream(part, { flags: from === 0 ? 'w' : 'a' })
  file.once('error', () => void (isOurs = true))
  try {
    await pipeline(body, count, file)
  } catch (cause) {
    if (isOurs) {
      const params = { file: part, detail: (cause as NodeJS.ErrnoException).code ?? '' }
      throw new CliError({ exitCode: EXIT.failed, text: 'file.unwritable', params, cause })
    }
    throw unreachable(saved.address, cause)
  }
  return totalBytes
}

/**
 * Fetches a file beside its place, goes on where an earlier try broke off, and puts it there once it is whole.
 * @throws {CliError}
 */
export async function fetchFile(fetching: Fetching): Promise<void> {
  const { state, onProgress } = fetching
  let { saved } = fetching
  for (let tries = 1; ; tries += 1) {
    try {
      const totalBytes = await fetchRest({ saved, state, onProgress })
      const part = partFileOf(saved.target)
      const doneBytes = await sizeOf(part)
      if (doneBytes !== totalBytes) {
        const params = { done: formatBytes(doneBytes), total: formatBytes(totalBytes) }
        throw new CliError({ exitCode: EXIT.network, text: 'get.wrong_size', params })
      }
      await rename(part, saved.target)
      await state.forget()
      return
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== EXIT.network) throw error
      saved = (await state.find()) ?? saved
      if (tries === TRIES) throw await brokenOff(saved, error)
      await sleep(RETRY_DELAY_MS * tries)
    }
  }
}

async function brokenOff(saved: SavedDownload, cause: CliError): Promise<CliError> {
  const doneBytes = await sizeOf(partFileOf(saved.target))
  if (doneBytes === 0) return cause
  const params = { done: formatBytes(doneBytes), total: formatBytes(saved.sizeBytes) }
  return new CliError({ exitCode: EXIT.network, text: 'net.broken_download', params, cause })
}
