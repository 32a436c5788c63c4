import { randomUUID } from 'node:crypto'
import { bundleObjectRoutes, bundleRoutes, type InputOf, type Lenient } from '@dropleaf/contract'
import {
  makeSealedShare,
  type SealedShare,
} from '../../../apps/web/src/domains/sealed/testing/sealed-share.ts'
import type { Api } from '../api.ts'

type Draft = Lenient<InputOf<typeof bundleRoutes.create, 'body'>>
type Contents = Omit<Parameters<typeof makeSealedShare>[0], 'id' | 'share' | 'first' | 'revision'>

interface Maker {
  readonly admin: Api
  readonly adminToken: string
  readonly baseURL: string | undefined
}

export interface MadeSealedBundle extends SealedShare {
  readonly id: string
  readonly slug: string
  /** URL of the page without the key. */
  readonly address: string
  /** URL of the page with the key. */
  readonly link: string
  readonly linkKey: string
  /** The proof that opens the bundle, in the form in which requests contain it. */
  readonly proof: string
}

let count = 0

async function sendPart(url: string, bytes: Uint8Array<ArrayBuffer>, token: string | null): Promise<void> {
  const answer = await fetch(url, {
    method: 'PUT',
    headers: {
      'content-type': 'application/octet-stream',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: bytes,
  })
  if (!answer.ok) throw new Error(`A part was not stored: ${answer.status} ${await answer.text()}`)
}

async function sendObjects(
  { admin, adminToken, baseURL = '' }: Maker,
  id: string,
  { objects }: SealedShare,
  storageId: string | null,
): Promise<void> {
  for (const { n, bytes, partSizeBytes } of objects) {
    const { data } = await admin.call(bundleObjectRoutes.begin, {
      params: { id },
      body: { objects: [{ n, stored: bytes.length, part_size: partSizeBytes }], s3_config_id: storageId },
    })
    const addresses = data.objects[0]?.presigned_urls ?? []
    for (let part = 1; (part - 1) * partSizeBytes < bytes.length; part += 1) {
      const piece = bytes.slice((part - 1) * partSizeBytes, part * partSizeBytes)
      const direct = addresses.find(({ partNumber }) => partNumber === part)?.url
      const isDirect = storageId !== null && direct !== undefined
      const url = isDirect ? direct : `${baseURL}/api/bundles/${id}/objects/${n}/parts/${part}`
      await sendPart(url, piece, isDirect ? null : adminToken)
    }
    await admin.call(bundleObjectRoutes.complete, { params: { id, n } })
  }
}

/**
 * Creates and publishes an encrypted bundle, as a sender's device does.
 * @param storageId storage of the objects; the default one if absent
 */
export async function makeSealedBundle(
  maker: Maker,
  { storageId = null, settings, ...contents }: Contents & { storageId?: string | null; settings?: Draft },
): Promise<MadeSealedBundle> {
  const id = randomUUID()
  const made = await makeSealedShare({ id, ...contents })
  const { facts, linkKey, keys } = made.share
  count += 1
  const slug = `sealed-${process.pid}-${count}`
  await maker.admin.call(bundleRoutes.create, { body: { id, slug, ...settings, sealed: 1, ...facts } })
  await sendObjects(maker, id, made, storageId)
  await maker.admin.call(bundleRoutes.publish, {
    params: { id },
    body: {
      manifest: Buffer.from(made.sealedManifest).toString('base64'),
      objects: made.objects.map(({ n }) => n),
      expected_revision: 0,
    },
  })
  const address = `/s/${slug}`
  return {
    ...made,
    id,
    slug,
    address,
    linkKey,
    link: `${address}#${linkKey}`,
    proof: Buffer.from(keys.proof).toString('base64url'),
  }
}
