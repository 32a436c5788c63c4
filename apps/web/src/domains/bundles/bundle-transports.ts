import { bundleObjectRoutes } from '@dropleaf/contract'
import type { PartToSend, Transport } from '@dropleaf/uploader'
import { ApiError, hasCode } from '../../lib/api-error.ts'
import { api } from '../api/api-client.ts'
import { routeUrl } from '../api/route-url.ts'
import { partSender, reachOf, relayPart } from '../transfers/uploads/part-sender.ts'
import { isInParts } from '../transfers/uploads/share-transports.ts'
import { classifyUploadError, FINISH_TIMEOUT_MS, wholePlan } from '../transfers/uploads/upload-calls.ts'
import type { UploadResult } from '../transfers/uploads/upload-store.ts'

type ObjectTransport = Transport<Blob, UploadResult>

/** Storage and folder for the objects of a bundle. Empty values mean the default. */
export interface BundlePlace {
  readonly configId: string
  readonly folder: string
}

export interface ObjectTarget {
  readonly bundleId: string
  /** Number of the object in its bundle. */
  readonly n: number
  readonly filename: string
  readonly sizeBytes: number
  readonly place: BundlePlace
  /** Whether no earlier request used this number. An existing object with this number is then a different file. */
  readonly isNewNumber?: boolean
}

/** An object of a bundle has no link. */
const DONE: UploadResult = { path: null, slug: null }
const IS_THERE = 'bundle.object_exists'

const placeQuery = ({ configId, folder }: BundlePlace) => ({ s3_config_id: configId, path: folder })

/** Uploads a small file in one request through the server. An interrupted request stores nothing. */
function whole({ bundleId, n, filename, sizeBytes, place, isNewNumber }: ObjectTarget): ObjectTransport {
  let mayBeThere = isNewNumber !== true
  const query = { filename, ...placeQuery(place) }
  const url = () => routeUrl(bundleObjectRoutes.put.path, { params: { id: bundleId, n }, query })
  return {
    begin: async () => ({ id: null, plan: wholePlan(sizeBytes), addresses: new Map() }),
    async send({ body, signal, onProgress }) {
      try {
        await relayPart(url(), { body, signal, onProgress })
      } catch (error) {
        // An earlier attempt succeeded, but its response was lost.
        const isThere = hasCode(error, IS_THERE)
        if (isThere && mayBeThere) return null
        mayBeThere ||= !isThere
        throw error
      }
      return null
    },
    finish: async () => DONE,
    discard: async () => undefined,
    judge: classifyUploadError,
  }
}

/** Errors that mean that the server has no upload and no object with this number. */
const GONE = ['bundle.object_missing', 'file.upload_expired']

const missingPlan = () =>
  new ApiError({ kind: 'http', code: 'client.bad_reply', message: 'The plan of the parts is missing.' })

/** Uploads a large file in parts, directly to the storage if the browser can reach it. */
function inParts({ bundleId, n, filename, sizeBytes, place }: ObjectTarget): ObjectTransport {
  const params = { id: bundleId, n }
  const addressesOf = (list: readonly { partNumber: number; url: string }[]) =>
    new Map(list.map(({ partNumber, url }) => [partNumber, url]))
  const look = async (signal?: AbortSignal) => {
    const { data } = await api(bundleObjectRoutes.parts, { params, signal })
    return {
      plan: { partSizeBytes: data.part_size, partCount: data.part_count },
      parts: data.parts.map(({ partNumber, size, etag }) => ({ partNumber, etag, sizeBytes: size })),
      addresses: addressesOf(data.presigned_urls),
      isCompleted: data.is_completed,
    }
  }
  const relay = async ({ partNumber, ...bytes }: PartToSend<Blob>) => {
    const url = routeUrl(bundleObjectRoutes.part.path, { params: { ...params, part: partNumber } })
    return (await relayPart<{ etag: string }>(url, bytes)).etag
  }
  return {
    // Ignores the abort signal, because a response after an abort still matters. A paused upload uses the response. A
    // cancelled upload deletes what the server has started.
    async begin() {
      const body = { objects: [{ n, filename, size: sizeBytes }], ...placeQuery(place) }
      const { data } = await api(bundleObjectRoutes.begin, { params: { id: bundleId }, body })
      const begun = data.objects.find((object) => object.n === n)
      if (!begun) throw missingPlan()
      return {
        id: `${bundleId}/${n}`,
        plan: { partSizeBytes: begun.part_size, partCount: begun.part_count },
        addresses: addressesOf(begun.presigned_urls),
      }
    },
    async look(_id, signal) {
      try {
        return await look(signal)
      } catch (error) {
        if (!hasCode(error, ...GONE)) throw error
        return null
      }
    },
    send: partSender(reachOf(place.configId), relay),
    async finish({ signal }) {
      await api(bundleObjectRoutes.complete, { params, signal, timeoutMs: FINISH_TIMEOUT_MS })
      return DONE
    },
    discard: async () => void (await api(bundleObjectRoutes.remove, { params })),
    judge: classifyUploadError,
  }
}

/** Returns the requests that upload one object of a bundle. */
export const objectTransport = (target: ObjectTarget): ObjectTransport =>
  isInParts(target.sizeBytes) ? inParts(target) : whole(target)
