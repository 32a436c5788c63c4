import {
  createEncryptingSource,
  createShare,
  derivePassword,
  type Manifest,
  type NewShare,
  type PlainReader,
  sealManifest,
  toBase64url,
} from '@dropleaf/seal'
import type { TestAnswer, TestApp, TestClient } from './app.ts'
import { draftBundle, openBundle, type TestBundle } from './bundles.ts'

/**
 * Number of segments per part. The parts are little larger than 5 MiB, the smallest size that S3 accepts, so that small
 * objects have several parts.
 */
export const SEGMENTS_PER_PART = 20

export interface TestSealedBundle extends TestBundle {
  readonly share: NewShare
}

const readerOf = (bytes: Uint8Array<ArrayBuffer>): PlainReader => ({
  sizeBytes: bytes.length,
  read: async ({ firstByte, endByte }) => bytes.slice(firstByte, endByte),
})

/** Creates the draft of a sealed bundle. */
export async function sealedDraft(
  client: TestClient,
  { password = null, ...body }: { password?: string | null; [setting: string]: unknown } = {},
): Promise<TestSealedBundle> {
  const share = await createShare({ password, derivePassword })
  return { ...(await draftBundle(client, { ...body, sealed: 1, ...share.facts })), share }
}

/** Announces an encrypted object. */
export const announceObject = (
  client: TestClient,
  { id }: TestBundle,
  object: { n: number; stored: number; part_size: number },
): Promise<TestAnswer> => client.call('POST', `/api/bundles/${id}/objects`, { body: { objects: [object] } })

/** Sends the parts of an object through the server, and joins them. */
export async function sendObject(
  client: TestClient,
  { id }: TestBundle,
  { n, parts }: { n: number; parts: ReadonlyArray<Uint8Array> },
): Promise<TestAnswer> {
  for (const [at, bytes] of parts.entries()) {
    const answer = await client.call('PUT', `/api/bundles/${id}/objects/${n}/parts/${at + 1}`, {
      payload: Buffer.from(bytes),
      headers: { 'content-type': 'application/octet-stream' },
    })
    if (answer.status !== 200) throw new Error(`The part was not stored: ${answer.text}`)
  }
  return client.call('POST', `/api/bundles/${id}/objects/${n}/complete`)
}

/** Encrypts bytes into the parts of an object. */
export async function encryptObject(bytes: Uint8Array<ArrayBuffer>) {
  const source = createEncryptingSource({ plain: readerOf(bytes), segmentsPerPart: SEGMENTS_PER_PART })
  const { partSizeBytes, partCount, storedBytes } = source.facts
  const parts: Uint8Array[] = []
  for (let part = 0; part < partCount; part += 1) {
    const first = part * partSizeBytes
    parts.push(await source.slice(first, Math.min(first + partSizeBytes, storedBytes)))
  }
  return { parts, stored: storedBytes, part_size: partSizeBytes, describe: (n: number) => source.describe(n) }
}

/** Uploads an encrypted object. @returns its entry in the manifest */
export async function putSealed(
  client: TestClient,
  bundle: TestBundle,
  { n, bytes }: { n: number; bytes: Uint8Array<ArrayBuffer> },
) {
  const { parts, stored, part_size, describe } = await encryptObject(bytes)
  const announced = await announceObject(client, bundle, { n, stored, part_size })
  if (announced.status !== 200) throw new Error(`The object was not announced: ${announced.text}`)
  const done = await sendObject(client, bundle, { n, parts })
  if (done.status !== 200) throw new Error(`The object was not joined: ${done.text}`)
  return describe(n)
}

/** Encrypts a manifest for a revision, in base64. */
export async function sealedText(
  { id, share }: TestSealedBundle,
  manifest: Partial<Manifest>,
  revision = 1,
): Promise<string> {
  const { salt, kdf } = share.facts
  const sealed = await sealManifest({
    manifest: { v: 1, objects: [], items: [], ...manifest },
    manifestKey: share.keys.manifestKey,
    place: { bundleId: id, revision, salts: { salt, kdf } },
  })
  return Buffer.from(sealed).toString('base64')
}

export const publishText = (
  client: TestClient,
  { id }: TestBundle,
  { text, objects = [], expected = 0 }: { text: string; objects?: readonly number[]; expected?: number },
): Promise<TestAnswer> =>
  client.call('POST', `/api/bundles/${id}/revisions`, {
    body: { manifest: text, objects, expected_revision: expected },
  })

/** Publishes a sealed bundle with a page and, if there are bytes, a file. */
export async function publishedSealed(
  client: TestClient,
  {
    page = 'a sealed page',
    bytes,
    ...settings
  }: {
    page?: string
    bytes?: Uint8Array<ArrayBuffer>
    password?: string | null
    [setting: string]: unknown
  } = {},
): Promise<TestSealedBundle> {
  const bundle = await sealedDraft(client, settings)
  const object = bytes && (await putSealed(client, bundle, { n: 0, bytes }))
  const items = object
    ? [{ path: 'a/file.bin', type: 'application/octet-stream', object: 0, offset: 0, size: object.size }]
    : []
  const text = await sealedText(bundle, {
    page: { type: 'text/plain', text: page },
    objects: object ? [object] : [],
    items,
  })
  const published = await publishText(client, bundle, { text, objects: object ? [0] : [] })
  if (published.status !== 201) throw new Error(`The bundle was not published: ${published.text}`)
  return bundle
}

export const proofOf = ({ share }: TestSealedBundle): string => toBase64url(share.keys.proof)

/** Opens a sealed bundle as a holder of its link does. */
export const openSealed = (t: TestApp, bundle: TestSealedBundle, body: object = {}): Promise<TestAnswer> =>
  openBundle(t, bundle.slug, { proof: proofOf(bundle), ...body })
