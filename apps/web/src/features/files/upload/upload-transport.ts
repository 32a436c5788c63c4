import { fileRoutes } from '@dropleaf/contract'
import { api, interpretReply } from '../../../lib/api-client.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { getSession } from '../../../lib/session.ts'
import type { UploadOptions } from './upload-item.ts'

/** No byte went out for this long: the line is dead. */
const STALL_MS = 300_000
const BACKBLAZE = 'Backblaze B2'

export interface Reservation {
  readonly fileId: string
  readonly uploadUrl: string
  readonly slug: string
  readonly contentType: string
  readonly providerType: string
}

interface FileOfBatch {
  readonly file: File
  readonly options: UploadOptions
  readonly slug: string
}

/** The calls of one upload. The queue knows only this, so that tests need no network. */
export interface UploadTransport {
  reserve(input: FileOfBatch & { signal: AbortSignal }): Promise<Reservation>
  /** Sends the bytes; answers their ETag without quotes, or `null` where the storage hides it. */
  send(input: {
    reservation: Reservation
    file: File
    signal: AbortSignal
    onProgress: (sentBytes: number) => void
  }): Promise<string | null>
  /** Makes a share of what was sent; answers its link suffix. */
  commit(input: {
    reservation: Reservation
    file: File
    options: UploadOptions
    etag: string | null
    signal: AbortSignal
  }): Promise<string>
  /** Gives the reservation up, with the bytes that may have arrived. */
  discard(fileId: string): Promise<void>
}

export const uploadTransport: UploadTransport = {
  async reserve({ file, options, slug, signal }) {
    const { data } = await api(fileRoutes.presign, {
      body: {
        s3_config_id: options.configId,
        filename: file.name,
        size: file.size,
        path: options.folder,
        slug,
        mimetype: file.type,
      },
      signal,
    })
    if (!data.upload_url || !data.file_id) {
      throw new ApiError({
        kind: 'http',
        code: 'client.bad_reply',
        message: 'The upload address is missing.',
      })
    }
    return {
      fileId: data.file_id,
      uploadUrl: data.upload_url,
      slug: data.slug,
      contentType: data.contentType,
      providerType: data.provider_type,
    }
  },

  send: ({ reservation, file, signal, onProgress }) =>
    putFile({
      url: reservation.uploadUrl,
      headers: {
        'Content-Type': reservation.contentType,
        ...(reservation.providerType === BACKBLAZE && {
          'X-Bz-Content-Sha1': 'do_not_verify',
          'X-Requested-With': 'XMLHttpRequest',
        }),
      },
      file,
      signal,
      onProgress,
    }),

  async commit({ reservation, file, options, etag, signal }) {
    const { data } = await api(fileRoutes.commit, {
      body: {
        file_id: reservation.fileId,
        etag,
        size: file.size,
        remark: options.remark,
        password: options.password,
        expires_in: options.expiresInHours,
        max_views: options.maxViews,
      },
      signal,
    })
    return data.slug
  },

  async discard(fileId) {
    const isAdmin = getSession().kind === 'admin'
    const route = isAdmin ? fileRoutes.adminBatchDelete : fileRoutes.userBatchDelete
    await api(route, { body: { ids: [fileId] } })
  },
}

interface PutInput {
  url: string
  headers: Record<string, string>
  file: File
  signal: AbortSignal
  onProgress: (sentBytes: number) => void
}

/** By XMLHttpRequest, because `fetch` reports no progress of what it sends. */
function putFile({ url, headers, file, signal, onProgress }: PutInput): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let stallTimer = setTimeout(() => request.abort(), STALL_MS)
    const fail = (kind: 'network' | 'timeout' | 'cancelled') =>
      reject(new ApiError({ kind, code: `client.${kind}`, message: 'The upload did not finish.' }))
    const abort = () => request.abort()

    request.upload.addEventListener('progress', (event) => {
      clearTimeout(stallTimer)
      stallTimer = setTimeout(() => request.abort(), STALL_MS)
      onProgress(Math.min(event.loaded, file.size))
    })
    request.addEventListener('load', () => {
      const isSuccess = request.status >= 200 && request.status < 300
      if (isSuccess) resolve(readEtag(request))
      else reject(refusal(request, { method: 'PUT', url, headers }))
    })
    request.addEventListener('error', () => fail('network'))
    request.addEventListener('abort', () => fail(signal.aborted ? 'cancelled' : 'timeout'))
    request.addEventListener('loadend', () => {
      clearTimeout(stallTimer)
      signal.removeEventListener('abort', abort)
    })
    signal.addEventListener('abort', abort)

    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.send(file)
  })
}

const readEtag = (request: XMLHttpRequest) =>
  request.getResponseHeader('ETag')?.replace(/^W\//, '').replaceAll('"', '') ?? null

function refusal(
  request: XMLHttpRequest,
  sent: { method: string; url: string; headers: Record<string, string> },
) {
  try {
    interpretReply({ status: request.status, text: request.responseText, retryAfter: null }, sent)
  } catch (error) {
    return error
  }
  return new ApiError({
    kind: 'http',
    status: request.status,
    code: 'client.unknown',
    message: `HTTP ${request.status}`,
  })
}
