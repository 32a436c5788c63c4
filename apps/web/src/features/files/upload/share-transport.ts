import type { Transport, Verdict } from '@dropleaf/uploader'
import { wholePlan } from '../../../domains/transfers/uploads/upload-calls.ts'
import type { UploadResult } from '../../../domains/transfers/uploads/upload-store.ts'
import type { UploadOptions } from './upload-item.ts'
import type { Reservation, UploadTransport } from './upload-transport.ts'

export interface ShareCalls {
  readonly transport: UploadTransport
  readonly judge: (error: unknown) => Verdict
}

interface ShareOrder {
  readonly file: File
  readonly options: UploadOptions
  readonly slug: string
  /** Resolves when the previous attempt has released the slug. */
  readonly before: () => Promise<void>
}

/** The calls that share a file: one PUT, because shares do not support multipart uploads. */
export function shareTransport(
  { transport, judge }: ShareCalls,
  { file, options, slug, before }: ShareOrder,
) {
  let reservation: Reservation | null = null
  const pending = new Set<Promise<unknown>>()
  function track<T>(call: Promise<T>): Promise<T> {
    pending.add(call)
    const forget = () => void pending.delete(call)
    call.then(forget, forget)
    return call
  }
  const reserved = () => {
    if (!reservation) throw new Error('The upload has not begun.')
    return reservation
  }
  const calls: Transport<Blob, UploadResult> = {
    async begin(signal) {
      await before()
      signal.throwIfAborted()
      // A late response contains the id to release.
      reservation = await track(transport.reserve({ file, options, slug }))
      return { id: reservation.fileId, plan: wholePlan(file.size), addresses: new Map() }
    },
    send: ({ body, signal, onProgress }) =>
      transport.send({ reservation: reserved(), file: body, signal, onProgress }),
    async finish({ parts, signal }) {
      const etag = parts[0]?.etag ?? null
      const order = { reservation: reserved(), file, options, etag, signal }
      return { path: null, slug: await transport.commit(order) }
    },
    discard: (id) => track(transport.discard(id)),
    judge,
  }
  const whenAnswered = async () => {
    while (pending.size > 0) await Promise.allSettled(pending)
  }
  return { calls, whenAnswered }
}
