import {
  bundleReadingRoutes,
  bundleRoutes,
  type InputOf,
  type Lenient,
  type ManifestInput,
  type OpenBundle,
} from '@dropleaf/contract'
import { crc32, deflateSync } from 'node:zlib'
import type { Api } from './api.ts'

type Content = string | Uint8Array
type Draft = Lenient<InputOf<typeof bundleRoutes.create, 'body'>>

interface BundleOptions {
  /** Contents of uploaded files, keyed by path in the bundle. */
  readonly files?: Readonly<Record<string, Content>>
  /** Paths of files in mounts, keyed by path in the bundle. */
  readonly references?: Readonly<Record<string, string>>
  /** Paths of live folders in mounts, keyed by path in the bundle. */
  readonly folders?: Readonly<Record<string, string>>
  readonly page?: string
  readonly pageType?: 'text/plain' | 'text/markdown'
  readonly title?: string
  /** Settings of the share, such as a password and a view limit. */
  readonly share?: Draft
}

export interface MadeBundle {
  readonly id: string
  readonly slug: string
  /** URL of the bundle's page. */
  readonly address: string
}

interface Maker {
  readonly admin: Api
  readonly adminToken: string
  readonly baseURL: string | undefined
}

let count = 0

async function upload(
  { adminToken, baseURL = '' }: Maker,
  { id, n, path, bytes }: { id: string; n: number; path: string; bytes: Content },
): Promise<void> {
  const query = new URLSearchParams({ filename: path.slice(path.lastIndexOf('/') + 1) })
  const answer = await fetch(`${baseURL}/api/bundles/${id}/objects/${n}?${query}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/octet-stream' },
    body: new Blob([bytes as Uint8Array<ArrayBuffer> | string]),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

/**
 * Publishes a revision.
 * @param first number of the first object. Each object needs a new number, because objects never change.
 */
export async function publish(
  maker: Maker,
  { id }: Pick<MadeBundle, 'id'>,
  { options, expected, first = 0 }: { options: BundleOptions; expected: number; first?: number },
): Promise<void> {
  const { files = {}, references = {}, folders = {}, page, pageType = 'text/markdown', title } = options
  const items: ManifestInput['items'] = []
  for (const [index, [path, bytes]] of Object.entries(files).entries()) {
    await upload(maker, { id, n: first + index, path, bytes })
    items.push({ path, source: { object: first + index } })
  }
  for (const [path, of] of Object.entries(references))
    items.push({ path, source: { ref: { path: of, mode: 'follow' } } })
  for (const [path, of] of Object.entries(folders)) items.push({ path, source: { folder: { path: of } } })
  const manifest = {
    title: title ?? null,
    page: page === undefined ? null : { type: pageType, text: page },
    items,
  }
  await maker.admin.call(bundleRoutes.publish, {
    params: { id },
    body: { manifest, expected_revision: expected },
  })
}

/** Creates and publishes a bundle. */
export async function makeBundle(maker: Maker, options: BundleOptions): Promise<MadeBundle> {
  count += 1
  const slug = `bundle-${process.pid}-${count}`
  const { data } = await maker.admin.call(bundleRoutes.create, { body: { slug, ...options.share } })
  const made = { id: data.id, slug: data.slug, address: `/s/${data.slug}` }
  await publish(maker, made, { options, expected: 0 })
  return made
}

export async function viewsOf({ admin }: Maker, { id }: MadeBundle): Promise<number> {
  return (await admin.call(bundleRoutes.detail, { params: { id } })).data.views
}

/** Opens a bundle in a single call, as a program does. */
export async function openByProgram({ admin }: Maker, { slug }: MadeBundle): Promise<OpenBundle> {
  const body = { device: 'd'.repeat(43) }
  const { data } = await admin.call(bundleReadingRoutes.open, { params: { slug }, body })
  if (data.sealed !== null) throw new Error('The bundle is encrypted.')
  return data
}

function chunkOf(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

/** Creates a PNG of a single colour. */
export function picture([red, green, blue]: readonly [number, number, number], width = 320, height = 240) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, Buffer.of(red, green, blue))])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const signature = Buffer.of(137, 80, 78, 71, 13, 10, 26, 10)
  const chunks = [chunkOf('IHDR', head), chunkOf('IDAT', pixels), chunkOf('IEND', new Uint8Array(0))]
  return new Uint8Array(Buffer.concat([signature, ...chunks]))
}
