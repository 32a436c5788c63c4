import { open, rename, stat, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { BYTES_HEADERS, request, refusalOf, unreachable } from './client.ts'
import { CliError, EXIT } from './errors.ts'
import { formatBytes, type ProgressState } from './progress.ts'
import type { StateStore } from './state.ts'
import type { TextKey } from './texts/index.ts'

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
  /** @throws {CliError} when something is at the target that may not be replaced */
  readonly requireFree: (target: string) => Promise<void>
  readonly state: StateStore<SavedDownload>
  readonly onProgress: (state: ProgressState) => void
}

const WORDS_FOR_DISKS: Readonly<Record<string, TextKey>> = {
  EACCES: 'file.not_permitted',
  EDQUOT: 'file.disk_full',
  ENOENT: 'file.no_folder',
  ENOSPC: 'file.disk_full',
  ENOTDIR: 'file.no_folder',
  EPERM: 'file.not_permitted',
  EROFS: 'file.read_only',
}

/** @throws {CliError} when the disk does not do it */
export async function onDisk<T>(path: string, done: Promise<T>): Promise<T> {
  try {
    return await done
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    const params = { file: path, folder: dirname(path), detail: code }
    const text = WORDS_FOR_DISKS[code] ?? 'file.unwritable'
    throw new CliError({ exitCode: EXIT.failed, text, params, cause })
  }
}

/** The bytes of an answer as they come. @throws {CliError} when the line breaks off */
async function* arriving(address: string, body: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    yield* Readable.fromWeb(body)
  } catch (cause) {
    throw unreachable(address, cause)
  }
}

/** Asks for what is missing, and appends it. Another version than the one begun is fetched from its beginning. */
async function fetchRest({ saved, state, onProgress }: Omit<Fetching, 'requireFree'>): Promise<number> {
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
    if (firstByte > 0) await onDisk(part, truncate(part, 0))
    await state.keep({ ...saved, sizeBytes: totalBytes, etag: answer.headers.get('etag') ?? '' })
  }
  let doneBytes = from
  const file = await onDisk(part, open(part, from === 0 ? 'w' : 'a'))
  try {
    // One after the other: what an earlier try left unwritten must not come behind what this one adds.
    for await (const chunk of arriving(saved.address, answer.body)) {
      await onDisk(part, file.appendFile(chunk))
      doneBytes += chunk.length
      onProgress({ doneBytes, totalBytes })
    }
  } finally {
    await onDisk(part, file.close())
  }
  return totalBytes
}

/**
 * Fetches a file beside its place, goes on where an earlier try broke off, and puts it there once it is whole.
 * @throws {CliError}
 */
export async function fetchFile(fetching: Fetching): Promise<void> {
  const { state, requireFree, onProgress } = fetching
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
      await requireFree(saved.target)
      await onDisk(saved.target, rename(part, saved.target))
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
