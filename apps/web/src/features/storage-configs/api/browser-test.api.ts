import { fileRoutes } from '@dropleaf/contract'
import { putHeaders } from '@dropleaf/uploader'
import { api } from '../../../domains/api/api-client.ts'
import { serverAddress } from '../../../lib/server-address.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { sendBytes } from '../../../domains/api/send-bytes.ts'
import { type BrowserTest, doneIn, type Transfer } from '../models/test-verdict.ts'

const SIZE_BYTES = 512 * 1024
/** Limit of one `getRandomValues` call, in bytes. */
const RANDOM_BYTES = 65_536
const TIMEOUT_MS = 120_000
const FILENAME = 'dropleaf-browser-test.bin'
/** If the page is closed during the test, the share expires after this time. */
const EXPIRES_IN_HOURS = 1

function randomContent(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SIZE_BYTES)
  for (let at = 0; at < SIZE_BYTES; at += RANDOM_BYTES)
    crypto.getRandomValues(bytes.subarray(at, at + RANDOM_BYTES))
  return bytes
}

/** Whether browsers block the request as mixed content. */
const isMixed = (url: string) => window.location.protocol === 'https:' && url.startsWith('http:')

async function upload(
  { url, headers }: { url: string; headers: Readonly<Record<string, string>> },
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ transfer: Transfer; etag: string | null }> {
  if (isMixed(url)) return { transfer: { kind: 'mixed' }, etag: null }
  const startedMs = performance.now()
  try {
    const { etag } = await sendBytes({
      method: 'PUT',
      url,
      headers,
      body: new Blob([bytes]),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      onProgress: () => undefined,
    })
    return { transfer: doneIn(bytes.length, performance.now() - startedMs), etag }
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0
    return { transfer: status === 0 ? { kind: 'blocked' } : { kind: 'refused', status }, etag: null }
  }
}

const isSame = (a: Uint8Array, b: Uint8Array) =>
  a.length === b.length && a.every((byte, index) => byte === b[index])

async function download(url: string, bytes: Uint8Array): Promise<Transfer> {
  if (isMixed(url)) return { kind: 'mixed' }
  const startedMs = performance.now()
  try {
    const response = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok) return { kind: 'refused', status: response.status }
    const received = new Uint8Array(await response.arrayBuffer())
    const tookMs = performance.now() - startedMs
    return isSame(received, bytes) ? doneIn(bytes.length, tookMs) : { kind: 'changed' }
  } catch {
    return { kind: 'blocked' }
  }
}

/**
 * Uploads a file to a signed URL of a storage like any other upload, downloads it, and removes it afterwards.
 * @throws {ApiError} if a request to our server fails, for example because the storage rejects our server
 */
export async function testFromBrowser(configId: string): Promise<BrowserTest> {
  const bytes = randomContent()
  const { data: reserved } = await api(fileRoutes.presign, {
    body: { s3_config_id: configId, filename: FILENAME, size: bytes.length, path: null, slug: null },
  })
  const id = reserved.file_id
  try {
    const url = new URL(reserved.upload_url, serverAddress()).href
    const headers = putHeaders({
      url,
      contentType: reserved.contentType,
      providerType: reserved.provider_type,
    })
    const sent = await upload({ url, headers }, bytes)
    if (sent.transfer.kind !== 'done') return { upload: sent.transfer, download: null, hasEtag: false }
    await api(fileRoutes.commit, {
      body: {
        file_id: id,
        etag: sent.etag,
        size: bytes.length,
        remark: null,
        password: null,
        expires_in: EXPIRES_IN_HOURS,
        max_views: null,
      },
    })
    const { data: file } = await api(fileRoutes.adminRead, { params: { id } })
    const fetched = await download(file.urls.downloadUrl, bytes)
    return { upload: sent.transfer, download: fetched, hasEtag: sent.etag !== null }
  } finally {
    await api(fileRoutes.adminBatchDelete, { body: { ids: [id] }, keepalive: true })
  }
}
