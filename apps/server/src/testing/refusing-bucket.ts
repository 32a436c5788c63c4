import type { IncomingMessage, ServerResponse } from 'node:http'
import { inject } from 'vitest'
import type { TestApp } from './app.ts'
import { refuse, startFaultProxy } from './fault-proxy.ts'
import { addS3Mount, type S3Mount } from './storages.ts'

/** How a bucket responds to a removal: with an error, or by closing the connection. */
export type Refusal = { readonly status: number; readonly code: string } | 'silent'

/** Responses of storages to a removal that is forbidden for the access key, not supported, or currently impossible. */
export const REFUSALS: readonly Refusal[] = [
  { status: 403, code: 'AccessDenied' },
  { status: 400, code: 'InvalidRequest' },
  { status: 405, code: 'MethodNotAllowed' },
  { status: 500, code: 'InternalError' },
  { status: 503, code: 'SlowDown' },
  'silent',
]

export const nameOfRefusal = (refusal: Refusal): string =>
  refusal === 'silent' ? 'no answer' : String(refusal.status)

export interface RefusingBucket extends S3Mount {
  /** Sets the response to all later removals; `null` allows them. */
  refuse(refusal: Refusal | null): void
}

function isRemoval({ method, url = '/' }: IncomingMessage): boolean {
  const { searchParams } = new URL(url, 'http://storage')
  return (
    (method === 'DELETE' && !searchParams.has('uploadId')) ||
    (method === 'POST' && searchParams.has('delete'))
  )
}

/**
 * Adds a mounted bucket that accepts every write, and answers removals with the refusal that is set. The bucket is
 * emptied and deleted at the end.
 */
export async function addRefusingBucket(
  t: TestApp,
  o: { mountPath: string; refusal?: Refusal | null },
): Promise<RefusingBucket> {
  const gateway = inject('s3Gateway')
  if (gateway === null) throw new Error('There is no gateway.')
  let refusal = o.refusal ?? null
  const proxy = await startFaultProxy(gateway.endpointUrl, (request, response: ServerResponse) => {
    if (refusal === null || !isRemoval(request)) return false
    request.resume()
    if (refusal !== 'silent') return refuse(response, refusal)
    response.destroy()
    return true
  })
  const mount = await addS3Mount(t, { mountPath: o.mountPath, endpointUrl: proxy.url, cacheTtl: 0 })
  return {
    ...mount,
    refuse: (next) => void (refusal = next),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      await mount[Symbol.asyncDispose]()
    },
  }
}
