import type { TestAnswer, TestApp } from './app.ts'
import { shareBundle } from './bundles.ts'
import { share } from './files.ts'
import { newDevice, type OpeningPlace, SECRET } from './opening-load.ts'

export { newDevice, type OpeningPlace, SECRET } from './opening-load.ts'

export const openingUrl = ({ kind, slug }: OpeningPlace, act: string): string =>
  kind === 'bundle' && act === 'open' ? `/api/bundles/${slug}/open` : `/api/opening/${kind}/${slug}/${act}`

/** Creates a share that requires confirmation and has one view. Further settings have the form of an upload's query. */
export async function shareAsking(
  t: TestApp,
  { kind, slug }: OpeningPlace,
  settings: Record<string, string> = {},
): Promise<{ id: string }> {
  const options = { slug, opening: 'ask', max_views: '1', ...settings }
  if (kind === 'bundle') return shareBundle(t.admin, { page: { text: SECRET } }, options)
  if (kind === 'file') return share(t.admin, 'a.txt', { bytes: SECRET, query: options })
  const { max_views: maxViews, ...others } = options
  const body = { content: SECRET, content_type: 'text/plain', maxViews, ...others }
  const answer = await t.admin.call('POST', '/api/paste', { body })
  if (answer.status !== 201) throw new Error(`The share failed: ${answer.text}`)
  return answer.body
}

export const askIntent = (t: TestApp, place: OpeningPlace, headers: Record<string, string> = {}) =>
  t.visitor.call('POST', openingUrl(place, 'intent'), { headers })

export interface Keys {
  readonly device?: string
  readonly intent?: string | null
  readonly password?: string
  readonly pin?: string
  readonly userAgent?: string
}

export const open = (
  t: TestApp,
  place: OpeningPlace,
  { device = newDevice(), userAgent, ...keys }: Keys,
): Promise<TestAnswer> =>
  t.visitor.call('POST', openingUrl(place, 'open'), {
    body: { device, ...keys },
    ...(userAgent === undefined ? {} : { headers: { 'user-agent': userAgent } }),
  })

/** Opens a share as the page does: requests an intent, waits a second, and opens the share. */
export async function openSlowly(t: TestApp, place: OpeningPlace, keys: Keys = {}): Promise<TestAnswer> {
  const asked = await askIntent(t, place)
  if (asked.status !== 200) return asked
  t.clock.advance({ seconds: 1 })
  return open(t, place, { intent: asked.body.data.intent as string, ...keys })
}

export const look = async (t: TestApp, place: OpeningPlace) =>
  (await t.visitor.call('GET', openingUrl(place, 'state'))).body.data

const LISTS = {
  paste: '/api/admin/pastes',
  file: '/api/admin/files',
  bundle: '/api/shares?kind=bundle',
} as const

/** Returns the share in its owner's list, after background work has finished. */
export async function ownerSees(t: TestApp, { kind, slug }: OpeningPlace) {
  await t.ctx.jobs.settle()
  const url = LISTS[kind]
  const { data } = (await t.admin.call('GET', url)).body
  const rows = (data.files ?? data.shares ?? data) as Array<
    Record<string, unknown> & { id: string; slug: string }
  >
  const row = rows.find((one) => one.slug === slug)
  if (!row) throw new Error(`There is no share ${slug}.`)
  return row
}

export const takeOne = (
  t: TestApp,
  place: OpeningPlace,
  {
    accept = 'application/json',
    headers = {},
    body,
  }: { accept?: string; headers?: object; body?: object } = {},
): Promise<TestAnswer> =>
  t.visitor.call('POST', openingUrl(place, 'take'), {
    headers: { 'x-dropleaf-open': 'yes', accept, ...headers },
    ...(body ? { body } : {}),
  })
