import { bundleObjectRoutes } from '@dropleaf/contract'
import type { Bytes, Sealed } from '@dropleaf/seal'
import type { PartToSend, Transport } from '@dropleaf/uploader'
import { ApiError, hasCode } from '../../../lib/api-error.ts'
import { api } from '../../api/api-client.ts'
import { routeUrl } from '../../api/route-url.ts'
import type { BundlePlace } from '../../bundles/bundle-transports.ts'
import { partSender, reachOf, relayPart } from '../../transfers/uploads/part-sender.ts'
import { classifyUploadError, FINISH_TIMEOUT_MS } from '../../transfers/uploads/upload-calls.ts'
import type { UploadResult } from '../../transfers/uploads/upload-store.ts'
import type { SealedObject } from './sealed-object.ts'

type SealedTransport = Transport<Sealed<Bytes>, UploadResult>

interface SealedTarget {
  readonly bundleId: string
  /** Number of the object in its bundle. */
  readonly n: number
  readonly object: SealedObject
  readonly place: BundlePlace
}

/** An object of a bundle has no link. */
const DONE: UploadResult = { path: null, slug: null }
/** Errors that mean that the server has no upload and no object with this number. */
const GONE = ['bundle.object_missing', 'file.upload_expired']

const badPlan = () =>
  new ApiError({ kind: 'http', code: 'client.bad_reply', message: 'The plan of the parts is wrong.' })

const addressesOf = (list: readonly { partNumber: number; url: string }[]) =>
  new Map(list.map(({ partNumber, url }) => [partNumber, url]))

/** Returns the requests that upload one encrypted object, directly to the storage if the browser can reach it. */
export function sealedTransport({ bundleId, n, object, place }: SealedTarget): SealedTransport {
  const params = { id: bundleId, n }
  const { storedBytes: stored, partSizeBytes: partSize } = object.place
  // The parts are encrypted with a fixed size, so a plan with another size is an error.
  const planOf = ({ part_size: size, part_count: partCount }: { part_size: number; part_count: number }) => {
    if (partCount !== Math.ceil(stored / partSize) || (partCount > 1 && size !== partSize)) throw badPlan()
    return { partSizeBytes: partSize, partCount }
  }
  const relay = async ({ partNumber, ...bytes }: PartToSend<Sealed<Bytes>>) => {
    const url = routeUrl(bundleObjectRoutes.part.path, { params: { ...params, part: partNumber } })
    return (await relayPart<{ etag: string }>(url, bytes)).etag
  }
  const look = async (signal?: AbortSignal) => {
    const { data } = await api(bundleObjectRoutes.parts, { params, signal })
    const parts = data.parts.filter(({ partNumber }) => object.hasPart(partNumber - 1))
    return {
      plan: planOf(data),
      parts: parts.map(({ partNumber, size, etag }) => ({ partNumber, etag, sizeBytes: size })),
      addresses: addressesOf(data.presigned_urls),
      isCompleted: data.is_completed,
    }
  }
  const sendPart = partSender(reachOf(place.configId), relay)
  return {
    // Ignores the abort signal, because a response after an abort still matters. A paused upload uses the response. A
    // cancelled upload deletes what the server has started.
    async begin() {
      const body = {
        objects: [{ n, stored, part_size: partSize }],
        s3_config_id: place.configId,
        path: place.folder,
      }
      const { data } = await api(bundleObjectRoutes.begin, { params: { id: bundleId }, body })
      const begun = data.objects.find((one) => one.n === n)
      if (!begun) throw badPlan()
      return {
        id: `${bundleId}/${n}`,
        plan: planOf(begun),
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
    send: sendPart,
    async finish({ signal }) {
      await api(bundleObjectRoutes.complete, { params, signal, timeoutMs: FINISH_TIMEOUT_MS })
      return DONE
    },
    discard: async () => void (await api(bundleObjectRoutes.remove, { params })),
    judge: classifyUploadError,
  }
}
