import type { PartToSend } from '@dropleaf/uploader'
import { ApiError } from '../../../lib/api-error.ts'
import { serverAddress } from '../../../lib/server-address.ts'
import { interpretReply } from '../../api/api-client.ts'
import { requestHeaders } from '../../api/request-headers.ts'
import { type SentBody, sendBytes } from '../../api/send-bytes.ts'

export const OCTETS = 'application/octet-stream'

/** How uploads reach a storage. If a storage does not allow CORS, browsers report a connection error. */
export interface Reach {
  /** Whether the browser has reached the storage before. If so, connection errors are considered temporary. */
  isDirect: boolean
  /** Whether the bytes are sent through the server. */
  isRelayed: boolean
}

export const newReach = (): Reach => ({ isDirect: false, isRelayed: false })

const byStorage = new Map<string, Reach>()

/** Returns how uploads reach a storage. All uploads in this tab share the returned object. */
export function reachOf(storageId: string): Reach {
  const reach = byStorage.get(storageId) ?? newReach()
  byStorage.set(storageId, reach)
  return reach
}

const isForeign = (address: string): boolean => URL.parse(address)?.origin !== new URL(serverAddress()).origin

/** Whether an error can mean that the browser cannot reach the storage at all. */
export const isBlocked = (error: unknown, { url, reach }: { url: string; reach: Reach }): boolean =>
  error instanceof ApiError && error.kind === 'network' && isForeign(url) && !reach.isDirect

type Bytes = Pick<PartToSend<SentBody>, 'body' | 'signal' | 'onProgress'>

/** Sends one part through the server. @returns the `data` of the response */
export async function relayPart<Data>(url: string, bytes: Bytes): Promise<Data> {
  const headers = { ...requestHeaders(), 'Content-Type': OCTETS }
  const { text } = await sendBytes({ method: 'PUT', url, headers, ...bytes })
  const reply = interpretReply({ status: 200, text, retryAfter: null }, { method: 'PUT', url, headers })
  return (reply as { data: Data }).data
}

/**
 * Sends parts to their signed URLs. If the browser cannot reach the storage, the attempt fails, and later attempts use
 * `relay`. A part without a URL also uses `relay`.
 * @returns the etag of the part; `null` if the storage does not expose it
 */
export function partSender<Body extends SentBody>(
  reach: Reach,
  relay: (part: PartToSend<Body>) => Promise<string>,
) {
  return async (part: PartToSend<Body>): Promise<string | null> => {
    const { address, body, signal, onProgress } = part
    const url = address ?? ''
    if (reach.isRelayed || url === '') {
      try {
        return await relay(part)
      } catch (error) {
        if (!signal.aborted) reach.isRelayed = false
        throw error
      }
    }
    try {
      const headers = { 'Content-Type': OCTETS }
      const { etag } = await sendBytes({ method: 'PUT', url, headers, body, signal, onProgress })
      Object.assign(reach, { isDirect: true, isRelayed: false } satisfies Reach)
      return etag
    } catch (error) {
      if (isBlocked(error, { url, reach })) reach.isRelayed = true
      throw error
    }
  }
}
