import type { TestAnswer, TestApp, TestClient } from './app.ts'
import { newDevice } from './opening-load.ts'

export interface TestBundle {
  readonly id: string
  readonly slug: string
}

/** Creates the draft of a bundle. */
export async function draftBundle(client: TestClient, body: object = {}): Promise<TestBundle> {
  const answer = await client.call('POST', '/api/bundles', { body })
  if (answer.status !== 201) throw new Error(`The bundle was not created: ${answer.text}`)
  return answer.body.data
}

/** Uploads an object of a bundle in one request. */
export const putObject = (
  client: TestClient,
  { id }: Pick<TestBundle, 'id'>,
  {
    n,
    filename = `${n}.txt`,
    bytes = `bytes of ${n}`,
    configId,
  }: { n: number; filename?: string; bytes?: string | Buffer; configId?: string | undefined },
): Promise<TestAnswer> =>
  client.call('PUT', `/api/bundles/${id}/objects/${n}`, {
    payload: bytes,
    query: { filename, ...(configId === undefined ? {} : { s3_config_id: configId }) },
    headers: { 'content-type': 'application/octet-stream' },
  })

export const publishBundle = (
  client: TestClient,
  { id }: Pick<TestBundle, 'id'>,
  {
    items = [],
    page,
    title,
    expected,
  }: { items?: object[]; page?: object; title?: string; expected: number },
): Promise<TestAnswer> =>
  client.call('POST', `/api/bundles/${id}/revisions`, {
    body: { manifest: { title, page, items }, expected_revision: expected },
  })

/** Returns items for uploaded objects with these numbers. */
export const objectItems = (...numbers: number[]): object[] =>
  numbers.map((n) => ({ path: `files/${n}.txt`, source: { object: n } }))

/** Creates and publishes a bundle with one object and a page. */
export async function publishedBundle(client: TestClient, body: object = {}): Promise<TestBundle> {
  const bundle = await draftBundle(client, body)
  await putObject(client, bundle, { n: 0 })
  const published = await publishBundle(client, bundle, {
    title: 'Trip',
    page: { text: '# Trip' },
    items: objectItems(0),
    expected: 0,
  })
  if (published.status !== 201) throw new Error(`The bundle was not published: ${published.text}`)
  return bundle
}

/** Returns the rows of all objects of bundles, ordered by number. */
export const objectRows = (t: TestApp) =>
  t.ctx.db
    .selectFrom('files')
    .selectAll()
    .where('bundle_id', 'is not', null)
    .orderBy('object_number')
    .execute()

/** An item of a manifest as its owner sends it. */
export interface SentItem {
  readonly path: string
  readonly source:
    | { readonly object: number }
    | { readonly ref: { readonly path: string; readonly mode?: string } }
    | { readonly folder: { readonly path: string } }
}

export interface SentBundle {
  readonly title?: string
  readonly page?: { readonly type?: string; readonly text: string }
  readonly items?: SentItem[]
  /** Texts to upload as objects, numbered from 0. */
  readonly texts?: readonly string[]
  readonly configId?: string
}

/** Creates and publishes a bundle with its objects. */
export async function shareBundle(
  client: TestClient,
  { texts = [], configId, ...manifest }: SentBundle,
  settings: object = {},
): Promise<TestBundle> {
  const draft = await draftBundle(client, settings)
  for (const [n, bytes] of texts.entries()) {
    const answer = await putObject(client, draft, { n, bytes, configId })
    if (answer.status !== 201) throw new Error(`The object was not stored: ${answer.text}`)
  }
  const published = await publishBundle(client, draft, { ...manifest, expected: 0 })
  if (published.status !== 201) throw new Error(`The bundle was not published: ${published.text}`)
  return draft
}

export const openBundle = (t: TestApp, slug: string, keys: object = {}): Promise<TestAnswer> =>
  t.visitor.call('POST', `/api/bundles/${slug}/open`, { body: { device: newDevice(), ...keys } })

export async function ticketFor(t: TestApp, slug: string, keys: object = {}): Promise<string> {
  const answer = await openBundle(t, slug, keys)
  if (answer.status !== 200) throw new Error(`Opening failed: ${answer.text}`)
  return answer.body.data.ticket as string
}

/** Calls a route of a reader. */
export const readBundle = (
  t: TestApp,
  { slug, ticket }: { slug: string; ticket: string },
  route: string,
  query: Record<string, string> = {},
): Promise<TestAnswer> =>
  t.visitor.call('GET', `/api/bundles/${slug}/${route}`, { query: { ticket, ...query } })
