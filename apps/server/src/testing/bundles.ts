import type { TestAnswer, TestApp, TestClient } from './app.ts'

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
  }: { n: number; filename?: string; bytes?: string | Buffer },
): Promise<TestAnswer> =>
  client.call('PUT', `/api/bundles/${id}/objects/${n}`, {
    payload: bytes,
    query: { filename },
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

/** Items that name uploaded objects, by number. */
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

/** The rows of all objects of bundles, by number. */
export const objectRows = (t: TestApp) =>
  t.ctx.db
    .selectFrom('files')
    .selectAll()
    .where('bundle_id', 'is not', null)
    .orderBy('object_number')
    .execute()
