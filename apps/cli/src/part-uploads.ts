import type { Readable } from 'node:stream'
import { fileErrors } from '@dropleaf/contract'
import { type PartToSend, putHeaders, type Upload, UploadError, type Verdict } from '@dropleaf/uploader'
import type { Connection } from './client.ts'
import { CliError, EXIT, hasCode } from './errors.ts'
import type { ProgressState } from './progress.ts'
import { sendBytes } from './send-bytes.ts'

/** Shared code of uploads in parts, for file shares and for objects of bundles. */

export const OCTETS = 'application/octet-stream'

export type ShowProgress = (state: ProgressState) => void

/** Error codes after which the client requests new URLs and the list of the parts that have arrived. */
const STALE = ['storage.link_expired', 'storage.link_invalid', fileErrors.parts_invalid.code]
/** Statuses with which storages reject expired URLs. Such responses have no Dropleaf error code. */
const STALE_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 410])

export function judge(error: unknown): Verdict {
  if (error instanceof UploadError) return error.code === 'upload.timeout' ? 'again' : 'stop'
  if (!(error instanceof CliError)) return 'stop'
  if (hasCode(error, ...STALE)) return 'refresh'
  if (error.exitCode === EXIT.network) return 'again'
  return error.code === null && STALE_STATUSES.has(error.status) ? 'refresh' : 'stop'
}

export const addressesOf = (list: readonly { partNumber: number; url: string }[]) =>
  new Map(list.map(({ partNumber, url }) => [partNumber, url]))

/** Sends a part to its URL. @returns the etag. @throws {CliError} */
export async function sendPart(
  connection: Connection,
  { address, body, sizeBytes, signal, onProgress }: PartToSend<() => Readable>,
): Promise<string | null> {
  const url = address ?? ''
  const headers = putHeaders({ url, contentType: OCTETS })
  try {
    const sent = { method: 'PUT', address: url, headers, body: body(), sizeBytes, signal, onProgress }
    return (await sendBytes(sent)).etag
  } catch (error) {
    throw aboutStorage(connection, url, error)
  }
}

/** Replaces the error of a remote storage with a message of the command line. */
function aboutStorage({ server }: Connection, address: string, error: unknown): unknown {
  if (!(error instanceof CliError) || error.code !== null) return error
  const { host } = new URL(address)
  if (host === new URL(server).host) return error
  const { exitCode, status, params, cause } = error
  return status === 0
    ? new CliError({ exitCode, text: 'net.storage', params: { ...params, host }, cause })
    : new CliError({ exitCode, text: 'net.storage_refused', params: { status }, status, cause })
}

/** Converts the error of an upload to the error that the command reports. */
export function inOurWords({ server }: Pick<Connection, 'server'>, error: unknown): unknown {
  if (!(error instanceof UploadError)) return error
  if (error.cause instanceof CliError) return error.cause
  if (error.code !== 'upload.timeout') return error
  const params = { host: new URL(server).host }
  return new CliError({ exitCode: EXIT.network, text: 'net.timeout', params, cause: error })
}

interface Watched {
  /** Whether the upload resumes an earlier attempt. */
  readonly isResumed: boolean
  readonly onProgress: ShowProgress
  readonly onResume?: (doneBytes: number) => void
  /** Pauses the upload. The upload then fails with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Runs an upload to its end. @throws {CliError} */
export async function carryOut<Body, Result>(
  connection: Connection,
  upload: Upload<Body, Result>,
  { isResumed, onProgress, onResume = () => undefined, signal }: Watched,
): Promise<Result> {
  signal?.throwIfAborted()
  const pause = () => upload.pause()
  signal?.addEventListener('abort', pause, { once: true })
  try {
    return await new Promise<Result>((resolve, reject) => {
      let isTold = !isResumed
      upload.subscribe(() => {
        const { state: at, stage, sentBytes, sizeBytes, error, result, ...rate } = upload.snapshot()
        if (!isTold && stage === 'uploading') {
          isTold = true
          onResume(sentBytes)
        }
        onProgress({ doneBytes: sentBytes, totalBytes: sizeBytes, ...rate })
        if (at === 'completed' && result) resolve(result)
        else if (at === 'failed') reject(error ?? new Error('The upload failed.'))
        else if (at === 'paused' && signal?.aborted) reject(signal.reason as Error)
      })
      if (isResumed) upload.resume()
      else upload.start()
    })
  } catch (error) {
    throw inOurWords(connection, error)
  } finally {
    signal?.removeEventListener('abort', pause)
  }
}
