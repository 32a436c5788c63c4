import { filePartRoutes, fileRoutes, type Opening } from '@dropleaf/contract'
import {
  chooseMethod,
  type PartToSend,
  putHeaders,
  type Transport,
  UploadError,
  type Verdict,
} from '@dropleaf/uploader'
import { ApiError, hasCode } from '../../../lib/api-error.ts'
import { api } from '../../api/api-client.ts'
import { openingBody } from '../../api/opening-body.ts'
import { routeUrl } from '../../api/route-url.ts'
import { sendBytes } from '../../api/send-bytes.ts'
import { getSession } from '../../session/session.ts'
import { isBlocked, type Reach, reachOf, partSender, relayPart } from './part-sender.ts'
import { classifyUploadError, FINISH_TIMEOUT_MS, wholePlan } from './upload-calls.ts'
import type { UploadResult } from './upload-store.ts'

type ShareTransport = Transport<Blob, UploadResult>

export interface UploadOptions {
  readonly configId: string
  readonly folder: string
  readonly remark: string
  /** If blank, the server generates a slug. */
  readonly slug: string
  readonly password: string
  /** In hours. 0 means never. */
  readonly expiresInHours: number
  /** 0 means unlimited. */
  readonly maxViews: number
  readonly opening: Opening
  /** Blank means none. */
  readonly pin: string
}

export interface ShareTarget {
  readonly name: string
  readonly sizeBytes: number
  readonly mimetype: string
  readonly configId: string
  /** `null` after a reload. The server still has the options, but the upload cannot restart without them. */
  readonly options: UploadOptions | null
}

const settingsOf = (options: UploadOptions) => ({
  remark: options.remark,
  password: options.password,
  expires_in: options.expiresInHours,
  max_views: options.maxViews,
  ...openingBody(options),
})

function optionsOf({ options }: ShareTarget): UploadOptions {
  if (!options) throw new UploadError('upload.gone')
  return options
}

/** Requests that occupy or release a slug. Other uploads with the same slug wait for these requests. */
const pending = new Map<string, Set<Promise<unknown>>>()

function track<T>(slug: string, call: Promise<T>): Promise<T> {
  if (slug === '') return call
  const calls = pending.get(slug) ?? new Set()
  pending.set(slug, calls.add(call))
  const forget = () => {
    calls.delete(call)
    if (calls.size === 0 && pending.get(slug) === calls) pending.delete(slug)
  }
  call.then(forget, forget)
  return call
}

async function whenReleased(slug: string, signal: AbortSignal): Promise<void> {
  for (let calls = pending.get(slug); calls; calls = pending.get(slug)) await Promise.allSettled(calls)
  signal.throwIfAborted()
}

const missingAddress = () =>
  new ApiError({ kind: 'http', code: 'client.bad_reply', message: 'The upload address is missing.' })

async function reserveWhole(target: ShareTarget) {
  const { configId, folder, slug } = optionsOf(target)
  const { name: filename, sizeBytes: size, mimetype } = target
  const body = { s3_config_id: configId, filename, size, path: folder, slug, mimetype }
  const { data } = await api(fileRoutes.presign, { body })
  if (!data.upload_url || !data.file_id) throw missingAddress()
  return data
}

async function reserveParts(target: ShareTarget) {
  const options = optionsOf(target)
  const { data } = await api(filePartRoutes.init, {
    body: {
      ...settingsOf(options),
      s3_config_id: options.configId,
      path: options.folder,
      slug: options.slug,
      filename: target.name,
      size: target.sizeBytes,
    },
  })
  return data
}

async function discardWhole(id: string): Promise<void> {
  const isAdmin = getSession().kind === 'admin'
  await api(isAdmin ? fileRoutes.adminBatchDelete : fileRoutes.userBatchDelete, { body: { ids: [id] } })
}

async function discardParts(id: string): Promise<void> {
  await api(filePartRoutes.abort, { body: { file_id: id } })
}

async function joinParts(id: string | null, signal: AbortSignal): Promise<UploadResult> {
  const { data } = await api(filePartRoutes.complete, {
    body: { file_id: id ?? '' },
    signal,
    timeoutMs: FINISH_TIMEOUT_MS,
  })
  return { path: null, slug: data.slug }
}

async function relay({ id, partNumber, ...bytes }: PartToSend<Blob>): Promise<string> {
  const query = { file_id: id ?? '', part_number: partNumber }
  return (await relayPart<{ etag: string }>(routeUrl(filePartRoutes.part.path, { query }), bytes)).etag
}

/** Sends a whole file through the server in parts. With parts, repeating a request does not store bytes twice. */
async function relayWhole(part: PartToSend<Blob>, partSizeBytes: number): Promise<null> {
  const { body, sizeBytes, onProgress } = part
  for (let firstByte = 0; firstByte === 0 || firstByte < sizeBytes; firstByte += partSizeBytes) {
    const piece = body.slice(firstByte, firstByte + partSizeBytes)
    await relay({
      ...part,
      partNumber: firstByte / partSizeBytes + 1,
      body: piece,
      onProgress: (sentBytes) => onProgress(firstByte + sentBytes),
    })
  }
  return null
}

/**
 * Uploads the file in one PUT to a signed URL. If the browser cannot reach the storage, the upload restarts through the
 * server.
 */
function whole(target: ShareTarget): ShareTransport {
  const { sizeBytes, options } = target
  const reach = reachOf(target.configId)
  const slug = options?.slug ?? ''
  let contentType = ''
  let providerType = ''
  /** Size of the parts sent through the server, or `null` if the upload goes directly to the storage. */
  let relayedBytes: number | null = null
  let blockedCount = 0
  let mustRestart = false
  const begin = async () => {
    mustRestart = false
    if (reach.isRelayed) {
      const { file_id: id, part_size: partSizeBytes } = await reserveParts(target)
      relayedBytes = partSizeBytes
      return { id, plan: wholePlan(sizeBytes), addresses: new Map<number, string>() }
    }
    const reserved = await reserveWhole(target)
    relayedBytes = null
    contentType = reserved.contentType
    providerType = reserved.provider_type
    const addresses = new Map([[1, reserved.upload_url]])
    return { id: reserved.file_id, plan: wholePlan(sizeBytes), addresses }
  }
  return {
    async begin(signal) {
      await whenReleased(slug, signal)
      // Does not pass the signal. Even a late response contains an id, and the upload with this id has to be
      // released.
      return track(slug, begin())
    },
    async send(part) {
      if (relayedBytes !== null) return relayWhole(part, relayedBytes)
      const { body, signal, onProgress } = part
      const url = part.address ?? ''
      try {
        const headers = putHeaders({ url, contentType, providerType })
        const { etag } = await sendBytes({ method: 'PUT', url, headers, body, signal, onProgress })
        Object.assign(reach, { isDirect: true, isRelayed: false } satisfies Reach)
        return etag
      } catch (error) {
        // The first error can be temporary. After the second error, the upload goes through the server.
        if (isBlocked(error, { url, reach }) && ++blockedCount > 1) reach.isRelayed = true
        mustRestart = reach.isRelayed
        throw error
      }
    },
    async finish({ id, parts, signal }) {
      if (relayedBytes !== null) return joinParts(id, signal)
      const { data } = await api(fileRoutes.commit, {
        body: {
          file_id: id ?? '',
          etag: parts[0]?.etag ?? null,
          size: sizeBytes,
          ...settingsOf(optionsOf(target)),
        },
        signal,
        timeoutMs: FINISH_TIMEOUT_MS,
      })
      return { path: null, slug: data.slug }
    },
    discard: (id) => track(slug, relayedBytes === null ? discardWhole(id) : discardParts(id)),
    judge: (error): Verdict => (mustRestart ? 'refresh' : classifyUploadError(error)),
  }
}

const GONE = ['file.not_found', 'file.upload_expired']

function inParts(target: ShareTarget): ShareTransport {
  const slug = target.options?.slug ?? ''
  const addressesOf = (list: readonly { partNumber: number; url: string }[]) =>
    new Map(list.map(({ partNumber, url }) => [partNumber, url]))
  const begin = async () => {
    const data = await reserveParts(target)
    return {
      id: data.file_id,
      plan: { partSizeBytes: data.part_size, partCount: data.part_count },
      addresses: addressesOf(data.presigned_urls),
    }
  }
  return {
    async begin(signal) {
      await whenReleased(slug, signal)
      return track(slug, begin())
    },
    async look(id, signal) {
      try {
        const { data } = await api(filePartRoutes.parts, { query: { file_id: id }, signal })
        return {
          plan: { partSizeBytes: data.part_size, partCount: data.part_count },
          parts: data.parts.map(({ partNumber, size, etag }) => ({ partNumber, etag, sizeBytes: size })),
          addresses: addressesOf(data.presigned_urls),
          isCompleted: data.is_completed,
        }
      } catch (error) {
        if (!hasCode(error, ...GONE)) throw error
        // Discards the pending upload, because it can occupy the slug that the next attempt needs.
        if (!hasCode(error, 'file.not_found')) await track(slug, discardParts(id)).catch(() => undefined)
        return null
      }
    },
    send: partSender(reachOf(target.configId), relay),
    finish: ({ id, signal }) => joinParts(id, signal),
    discard: (id) => track(slug, discardParts(id)),
    judge: classifyUploadError,
  }
}

/** Whether a share is uploaded in parts and can therefore be resumed. */
export const isInParts = (sizeBytes: number): boolean =>
  chooseMethod({ preferred: 'auto', sizeBytes, takesParts: true }) === 'multipart'

/** Returns the requests that share one file. */
export const shareTransport = (target: ShareTarget): ShareTransport =>
  isInParts(target.sizeBytes) ? inParts(target) : whole(target)
