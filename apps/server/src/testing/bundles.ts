import { randomUUID } from 'node:crypto'
import type { TestAnswer, TestApp, TestClient } from './app.ts'
import { newDevice } from './opening-load.ts'

/** An item of a manifest as its owner sends it. */
export type SentItem = {
  readonly path: string
  readonly source:
    | { object: number }
    | { ref: { path: string; mode?: string } }
    | { folder: { path: string } }
}

export interface SentBundle {
  readonly title?: string
  readonly page?: { type?: string; text: string }
  readonly items?: readonly SentItem[]
  /** Bytes of the uploaded objects, by number and name. */
  readonly objects?: ReadonlyArray<readonly [number, string, string | Buffer]>
}

/** Creates a draft. @returns its id and link suffix */
export async function draftBundle(
  client: TestClient,
  settings: object = {},
): Promise<{ id: string; slug: string }> {
  const answer = await client.call('POST', '/api/bundles', { body: { id: randomUUID(), ...settings } })
  if (answer.status !== 201) throw new Error(`The draft failed: ${answer.text}`)
  return answer.body.data
}

export const putObject = (
  client: TestClient,
  id: string,
  [n, filename, bytes]: readonly [number, string, string | Buffer],
  query: Record<string, string> = {},
): Promise<TestAnswer> =>
  client.call('PUT', `/api/bundles/${id}/objects/${n}`, {
    query: { filename, ...query },
    payload: bytes,
    headers: { 'content-type': 'application/octet-stream' },
  })

export const publish = (
  client: TestClient,
  id: string,
  { expected = 0, title, page, items = [] }: SentBundle & { expected?: number },
): Promise<TestAnswer> =>
  client.call('POST', `/api/bundles/${id}/revisions`, {
    body: { manifest: { title, page, items }, expected_revision: expected },
  })

/** Creates and publishes a bundle with its objects. */
export async function shareBundle(
  client: TestClient,
  bundle: SentBundle,
  settings: object = {},
  query: Record<string, string> = {},
): Promise<{ id: string; slug: string }> {
  const draft = await draftBundle(client, settings)
  for (const object of bundle.objects ?? []) {
    const answer = await putObject(client, draft.id, object, query)
    if (answer.status !== 201) throw new Error(`The object failed: ${answer.text}`)
  }
  const answer = await publish(client, draft.id, bundle)
  if (answer.status !== 201) throw new Error(`Publishing failed: ${answer.text}`)
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
