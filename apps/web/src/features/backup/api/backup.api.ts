import { BACKUP_PASSPHRASE_HEADER, type BackupImport, backupRoutes, type ReplyOf } from '@dropleaf/contract'
import { interpretReply } from '../../../domains/api/api-client.ts'
import { requestHeaders } from '../../../domains/api/request-headers.ts'
import { routeUrl } from '../../../domains/api/route-url.ts'
import { ApiError } from '../../../lib/api-error.ts'

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (cause) {
    throw networkError(cause)
  }
}

const networkError = (cause: unknown) =>
  new ApiError({ kind: 'network', code: 'client.network', message: String(cause), cause })

async function replyOf(response: Response, url: string, headers: Record<string, string>): Promise<unknown> {
  const retryAfter = response.headers.get('Retry-After')
  const text = await response.text()
  return interpretReply({ status: response.status, text, retryAfter }, { method: 'POST', url, headers })
}

/**
 * Downloads a backup.
 * @throws {ApiError} also if the download is interrupted
 */
export async function fetchBackup(passphrase: string | null): Promise<Blob> {
  const url = routeUrl(backupRoutes.export.path)
  const headers = { ...requestHeaders(), 'Content-Type': 'application/json' }
  const response = await send(url, { method: 'POST', headers, body: JSON.stringify({ passphrase }) })
  if (!response.ok) await replyOf(response, url, headers)
  return response.blob().catch((cause: unknown) => Promise.reject(networkError(cause)))
}

export interface ImportOrder {
  readonly file: File
  readonly passphrase: string
  readonly mode: 'merge' | 'replace'
}

/**
 * Imports a backup, which can take long. Use `replace` only after the user has confirmed it.
 * @throws {ApiError}
 */
export async function sendBackup({ file, passphrase, mode }: ImportOrder): Promise<BackupImport> {
  const url = routeUrl(backupRoutes.import.path, { query: { mode, confirm: mode === 'replace' } })
  const headers = {
    ...requestHeaders(),
    'Content-Type': 'application/octet-stream',
    ...(passphrase !== '' && { [BACKUP_PASSPHRASE_HEADER]: encodeURIComponent(passphrase) }),
  }
  const response = await send(url, { method: 'POST', headers, body: file })
  const reply = (await replyOf(response, url, headers)) as ReplyOf<typeof backupRoutes.import>
  return reply.data
}
