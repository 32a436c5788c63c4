import { randomBytes } from 'node:crypto'
import { bundleReadingRoutes } from '@dropleaf/contract'
import type { Page, Request } from '@playwright/test'
import {
  createSealedSource,
  derivePassword,
  fromBase64url,
  type Manifest,
  openManifest,
  parseLinkKey,
  sealedText,
  unlockShare,
} from '../../../packages/seal/src/index.ts'
import type { Api } from '../api.ts'

/** Records the method, URL, headers, and text body of all requests of the page. */
export function recordRequests(page: Page) {
  const sent: string[] = []
  page.on('request', (request: Request) => {
    sent.push(
      `${request.method()} ${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`,
    )
  })
  return sent
}

export interface Opened {
  readonly manifest: Manifest
  readonly ticket: string
  readonly slug: string
  readonly proof: string
}

/** Opens a link as a reader does. */
export async function openLink(admin: Api, link: string, password: string | null = null): Promise<Opened> {
  const { pathname, hash } = new URL(link)
  const slug = pathname.split('/').at(-1) ?? ''
  const params = { slug }
  const { data: look } = await admin.call(bundleReadingRoutes.look, { params })
  const salts = { salt: look.salt ?? '', kdf: look.kdf }
  const keys = await unlockShare({ secret: parseLinkKey(hash), salts, password, derivePassword })
  const proof = sealedText(keys.proof)
  const device = randomBytes(32).toString('base64url')
  const { data } = await admin.call(bundleReadingRoutes.open, { params, body: { proof, device } })
  if (data.sealed === null) throw new Error('The bundle is not encrypted.')
  const text = data.manifest.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const manifest = await openManifest({
    sealed: fromBase64url(text) ?? new Uint8Array(),
    manifestKey: keys.manifestKey,
    place: { bundleId: data.id, revision: data.revision, salts },
  })
  return { manifest, ticket: data.ticket, slug, proof }
}

/** Reads a file of a bundle from the storage. */
export async function readItem(
  admin: Api,
  { manifest, ticket, slug }: Opened,
  path: string,
  origin?: string,
): Promise<Uint8Array> {
  const item = manifest.items.find((one) => one.path === path)
  const object = manifest.objects.find(({ n }) => n === item?.object)
  if (!item || !object) throw new Error(`There is no ${path}.`)
  const body = { ticket, objects: [object.n] }
  const { data } = await admin.call(bundleReadingRoutes.addresses, { params: { slug }, body })
  const source = createSealedSource(object, async ({ firstByte, endByte }) => {
    const answer = await fetch(new URL(data[0]?.url ?? '', origin), {
      headers: { Range: `bytes=${firstByte}-${endByte - 1}` },
    })
    return { bytes: new Uint8Array(await answer.arrayBuffer()), objectBytes: object.stored }
  })
  return source.read(item.offset, item.size)
}
