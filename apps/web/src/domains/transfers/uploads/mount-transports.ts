import { fsUploadRoutes } from '@dropleaf/contract'
import {
  type Addresses,
  putHeaders,
  type PartTag,
  type Transport,
  type UploadMethod,
} from '@dropleaf/uploader'
import { api, interpretReply } from '../../api/api-client.ts'
import { requestHeaders } from '../../api/request-headers.ts'
import { routeUrl } from '../../api/route-url.ts'
import { ApiError, hasCode } from '../../../lib/api-error.ts'
import { sendBytes } from '../../api/send-bytes.ts'
import { newReach, OCTETS, partSender, relayPart } from './part-sender.ts'
import { joinPath } from './taken-names.ts'
import { FINISH_TIMEOUT_MS, classifyUploadError, wholePlan } from './upload-calls.ts'
import type { UploadResult } from './upload-store.ts'

type MountTransport = Transport<Blob, UploadResult>

export interface MountTarget {
  /** Path of the folder, without a trailing slash. */
  readonly directory: string
  readonly name: string
  readonly sizeBytes: number
}

const addressesOf = (list: readonly { partNumber: number; url: string }[]): Addresses =>
  new Map(list.map(({ partNumber, url }) => [partNumber, url]))

const missingAddress = () =>
  new ApiError({ kind: 'http', code: 'client.bad_reply', message: 'The upload address is missing.' })

async function discard(uploadId: string): Promise<void> {
  await api(fsUploadRoutes.multipartAbort, { body: { uploadId } })
}

function presigned({ directory, name, sizeBytes }: MountTarget): MountTransport {
  let contentType = OCTETS
  return {
    async begin(signal) {
      const body = { path: directory, fileName: name, fileSize: sizeBytes }
      const { data } = await api(fsUploadRoutes.presign, { body, signal })
      if (!data.presignedUrl || !data.fileId) throw missingAddress()
      ;({ contentType } = data)
      return { id: data.fileId, plan: wholePlan(sizeBytes), addresses: new Map([[1, data.presignedUrl]]) }
    },
    async send({ address, body, signal, onProgress }) {
      const url = address ?? ''
      const headers = putHeaders({ url, contentType })
      return (await sendBytes({ method: 'PUT', url, headers, body, signal, onProgress })).etag
    },
    async finish({ id, signal }) {
      const { data } = await api(fsUploadRoutes.commit, {
        body: { fileId: id ?? '', fileSize: sizeBytes },
        signal,
        timeoutMs: FINISH_TIMEOUT_MS,
      })
      return { path: data.targetPath, slug: null }
    },
    discard,
    judge: classifyUploadError,
  }
}

function direct({ directory, name, sizeBytes }: MountTarget): MountTransport {
  const path = joinPath(directory, name)
  const { method, path: route } = fsUploadRoutes.put
  return {
    begin: () => Promise.resolve({ id: null, plan: wholePlan(sizeBytes), addresses: new Map() }),
    async send({ body, signal, onProgress }) {
      const url = routeUrl(route, { query: { path } })
      const headers = { ...requestHeaders(), 'Content-Type': OCTETS }
      const { text, etag } = await sendBytes({ method, url, headers, body, signal, onProgress })
      interpretReply({ status: 200, text, retryAfter: null }, { method, url, headers })
      return etag
    },
    finish: () => Promise.resolve({ path, slug: null }),
    discard: () => Promise.resolve(),
    judge: classifyUploadError,
  }
}

/**
 * Returns the etags of all parts. Returns an empty list if the storage hides any etag from the browser; the server
 * then lists the parts itself.
 */
const tagsOf = (parts: readonly PartTag[]) =>
  parts.every(({ etag }) => etag !== null)
    ? parts.map(({ partNumber, etag }) => ({ partNumber, etag: etag ?? '' }))
    : []

function multipart({ directory, name, sizeBytes }: MountTarget): MountTransport {
  const send = partSender(newReach(), async ({ id, partNumber, ...bytes }) => {
    const { path } = fsUploadRoutes.multipartPutPart
    const url = routeUrl(path, { query: { uploadId: id ?? '', partNumber } })
    return (await relayPart<{ etag: string }>(url, bytes)).etag
  })
  return {
    async begin(signal) {
      const body = { path: directory, fileName: name, fileSize: sizeBytes }
      const { data } = await api(fsUploadRoutes.multipartInit, { body, signal })
      if (!data.uploadId) throw missingAddress()
      const plan = { partSizeBytes: data.partSize, partCount: data.partCount }
      return { id: data.uploadId, plan, addresses: addressesOf(data.presignedUrls) }
    },
    async look(uploadId, signal) {
      try {
        const { data } = await api(fsUploadRoutes.multipartParts, { query: { uploadId }, signal })
        return {
          plan: { partSizeBytes: data.partSize, partCount: data.partCount },
          parts: data.parts.map(({ partNumber, size, etag }) => ({ partNumber, etag, sizeBytes: size })),
          addresses: addressesOf(data.presignedUrls),
          isCompleted: data.isCompleted,
        }
      } catch (error) {
        if (hasCode(error, 'fs.upload_not_found')) return null
        throw error
      }
    },
    send,
    async finish({ id, parts, signal }) {
      const { data } = await api(fsUploadRoutes.multipartComplete, {
        body: { uploadId: id ?? '', fileSize: sizeBytes, parts: tagsOf(parts) },
        signal,
        timeoutMs: FINISH_TIMEOUT_MS,
      })
      return { path: data.path, slug: null }
    },
    discard,
    judge: classifyUploadError,
  }
}

const BY_METHOD: Readonly<Record<UploadMethod, (target: MountTarget) => MountTransport>> = {
  presigned,
  direct,
  multipart,
}

/** Returns the requests that upload one file to a mount. */
export const mountTransport = (method: UploadMethod, target: MountTarget): MountTransport =>
  BY_METHOD[method](target)
