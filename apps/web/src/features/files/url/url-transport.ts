import { urlRoutes } from '@dropleaf/contract'
import { chooseMethod, putHeaders, type Transport } from '@dropleaf/uploader'
import { api } from '../../../domains/api/api-client.ts'
import { openingBody } from '../../../domains/shares/share-options.ts'
import { sendBytes } from '../../../domains/api/send-bytes.ts'
import {
  FINISH_TIMEOUT_MS,
  classifyUploadError,
  wholePlan,
} from '../../../domains/transfers/uploads/upload-calls.ts'
import type { UploadResult } from '../../../domains/transfers/uploads/upload-store.ts'
import type { UploadOptions } from '../upload/upload-item.ts'

type UrlTransport = Transport<Blob, UploadResult>

/** A downloaded file to share. */
export interface UrlTarget {
  readonly url: string
  readonly name: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly options: UploadOptions
}

const targetOf = ({ url, name, contentType, sizeBytes, options }: UrlTarget) => ({
  url,
  s3_config_id: options.configId,
  filename: name,
  slug: options.slug,
  remark: options.remark,
  path: options.folder,
  metadata: { filename: name, contentType, size: sizeBytes },
})

const shareOptionsOf = (options: UploadOptions) => ({
  password: options.password,
  expires_in: options.expiresInHours,
  max_views: options.maxViews,
  ...openingBody(options),
})

function single(target: UrlTarget): UrlTransport {
  const { sizeBytes, options } = target
  let contentType = target.contentType
  let providerType = ''
  return {
    async begin(signal) {
      const { data } = await api(urlRoutes.presign, { body: targetOf(target), signal })
      contentType = data.contentType
      providerType = data.provider_type
      return { id: data.file_id, plan: wholePlan(sizeBytes), addresses: new Map([[1, data.upload_url]]) }
    },
    async send({ address, body, signal, onProgress }) {
      const url = address ?? ''
      const headers = putHeaders({ url, contentType, providerType })
      return (await sendBytes({ method: 'PUT', url, headers, body, signal, onProgress })).etag
    },
    async finish({ id, parts, signal }) {
      const { data } = await api(urlRoutes.commit, {
        body: {
          file_id: id ?? '',
          etag: parts[0]?.etag ?? null,
          size: sizeBytes,
          remark: options.remark,
          ...shareOptionsOf(options),
        },
        signal,
        timeoutMs: FINISH_TIMEOUT_MS,
      })
      return { path: null, slug: data.slug }
    },
    async discard(id) {
      await api(urlRoutes.cancel, { body: { file_id: id } })
    },
    judge: classifyUploadError,
  }
}

/** Parts need ETags that CORS exposes. The uploaded parts cannot be listed, so a stopped upload restarts. */
function inParts(target: UrlTarget): UrlTransport {
  const { sizeBytes, options } = target
  let uploadId = ''
  return {
    async begin(signal) {
      const { data } = await api(urlRoutes.multipartInit, {
        body: { ...targetOf(target), ...shareOptionsOf(options), total_size: sizeBytes },
        signal,
      })
      uploadId = data.upload_id
      const addresses = new Map(data.presigned_urls.map(({ partNumber, url }) => [partNumber, url]))
      return {
        id: data.file_id,
        plan: { partSizeBytes: data.part_size, partCount: data.part_count },
        addresses,
      }
    },
    async send({ address, body, signal, onProgress }) {
      const headers = { 'Content-Type': 'application/octet-stream' }
      return (await sendBytes({ method: 'PUT', url: address ?? '', headers, body, signal, onProgress })).etag
    },
    async finish({ id, parts, signal }) {
      const { data } = await api(urlRoutes.multipartComplete, {
        body: {
          file_id: id ?? '',
          upload_id: uploadId,
          parts: parts.map(({ partNumber, etag }) => ({ partNumber, etag: etag ?? '' })),
        },
        signal,
        timeoutMs: FINISH_TIMEOUT_MS,
      })
      return { path: null, slug: data.slug }
    },
    async discard(id) {
      await api(urlRoutes.multipartAbort, { body: { file_id: id, upload_id: uploadId } })
    },
    judge: classifyUploadError,
  }
}

/** The calls that share a downloaded file; large files use multipart uploads. */
export function urlTransport(target: UrlTarget): UrlTransport {
  const method = chooseMethod({ wish: 'auto', sizeBytes: target.sizeBytes, takesParts: true })
  return method === 'multipart' ? inParts(target) : single(target)
}
