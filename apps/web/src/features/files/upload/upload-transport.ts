import { fileRoutes } from '@dropleaf/contract'
import { putHeaders } from '@dropleaf/uploader'
import { api } from '../../../domains/api/api-client.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { getSession } from '../../../domains/session/session.ts'
import { sendBytes } from '../../../domains/api/send-bytes.ts'
import { openingBody } from '../../../domains/shares/share-options.ts'
import { FINISH_TIMEOUT_MS } from '../../../domains/transfers/uploads/upload-calls.ts'
import type { UploadOptions } from './upload-item.ts'

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

/** The calls of one upload. Tests replace them. */
export interface UploadTransport {
  reserve(input: FileOfBatch & { signal?: AbortSignal }): Promise<Reservation>
  /** Sends the bytes; returns their ETag without quotes, or `null` if the storage hides it. */
  send(input: {
    reservation: Reservation
    file: Blob
    signal: AbortSignal
    onProgress: (sentBytes: number) => void
  }): Promise<string | null>
  /** Creates the share; returns its slug. */
  commit(input: {
    reservation: Reservation
    file: File
    options: UploadOptions
    etag: string | null
    signal: AbortSignal
  }): Promise<string>
  /** Releases the reservation, with any uploaded bytes. */
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
      ...(signal && { signal }),
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

  async send({ reservation, file, signal, onProgress }) {
    const { uploadUrl: url, contentType, providerType } = reservation
    const headers = putHeaders({ url, contentType, providerType })
    return (await sendBytes({ method: 'PUT', url, headers, body: file, signal, onProgress })).etag
  },

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
        ...openingBody(options),
      },
      signal,
      timeoutMs: FINISH_TIMEOUT_MS,
    })
    return data.slug
  },

  async discard(fileId) {
    const isAdmin = getSession().kind === 'admin'
    const route = isAdmin ? fileRoutes.adminBatchDelete : fileRoutes.userBatchDelete
    await api(route, { body: { ids: [fileId] } })
  },
}
