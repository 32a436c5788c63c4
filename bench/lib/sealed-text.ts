import { randomUUID } from 'node:crypto'
import { makeSealedShare } from '../../apps/web/src/domains/sealed/testing/sealed-share.ts'
import type { Product } from './product.ts'

/** Creates and publishes an end-to-end encrypted text. @returns its link */
export async function makeSealedText(product: Product, page: string): Promise<string> {
  const id = randomUUID()
  const { share, sealedManifest } = await makeSealedShare({ id, page })
  const { slug }: { slug: string } = await product.call('POST', 'api/bundles', {
    id,
    sealed: 1,
    ...share.facts,
  })
  product.undo(() => product.call('POST', 'api/bundles/delete', { ids: [id] }))
  await product.call('POST', `api/bundles/${id}/revisions`, {
    manifest: Buffer.from(sealedManifest).toString('base64'),
    objects: [],
    expected_revision: 0,
  })
  return `${product.url}s/${slug}#${share.linkKey}`
}
