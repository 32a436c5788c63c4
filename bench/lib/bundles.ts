import { newDevice } from '../../apps/server/src/testing/opening-load.ts'
import { send } from './measure.ts'
import type { Product } from './product.ts'

export interface Bundle {
  readonly id: string
  readonly slug: string
}

export const createBundle = (product: Product): Promise<Bundle> =>
  product.call<Bundle>('POST', 'api/bundles', {})

export async function putObject(
  product: Product,
  { id }: Bundle,
  { n, filename, bytes }: { n: number; filename: string; bytes: Buffer },
): Promise<void> {
  const headers = {
    authorization: `Bearer ${product.token}`,
    'content-type': 'application/octet-stream',
    'content-length': bytes.length,
  }
  const query = new URLSearchParams({ filename }).toString()
  const target = { name: 'Dropleaf', url: product.url, headers: {} }
  await send(target, 'PUT', `api/bundles/${id}/objects/${n}?${query}`, { body: bytes, headers })
}

export const publish = (product: Product, { id }: Bundle, manifest: object): Promise<unknown> =>
  product.call('POST', `api/bundles/${id}/revisions`, { manifest, expected_revision: 0 })

/** Opens a bundle as a visitor does. @returns a ticket, which can read the bundle for six hours */
export async function openBundle(product: Product, { slug }: Bundle): Promise<string> {
  const target = { name: 'Dropleaf', url: product.url, headers: { 'content-type': 'application/json' } }
  const body = Buffer.from(JSON.stringify({ device: newDevice() }))
  const answer = await send(target, 'POST', `api/bundles/${slug}/open`, { body })
  return (JSON.parse(answer.toString()) as { data: { ticket: string } }).data.ticket
}
