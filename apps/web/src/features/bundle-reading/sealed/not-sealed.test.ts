// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { derivePassword } from '@dropleaf/seal'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepKey } from '../../../domains/sealed/keys/key-store.ts'
import { noteRevision } from '../../../domains/sealed/reading/seen-revisions.ts'
import { makeSealedShare } from '../../../domains/sealed/testing/sealed-share.ts'
import { handOver, takeEarlyAnswer } from '../../../domains/shares/early-answer.ts'
import { forgetTicket, storeTicket } from '../models/stored-ticket.ts'
import { noteLook } from './known-looks.ts'
import { lookAt, requestSealed, unlock } from './open-sealed.ts'

const ID = '00000000-0000-4000-8000-00000000eeee'
const SALT = 'AAAAAAAAAAAAAAAAAAAAAA'
const NOW = '2026-01-01T00:00:00.000Z'
const OPEN_LOOK = { id: ID, sealed: null, salt: null, kdf: null, opening: 'direct', expires_at: null }
const FACTS = {
  slug: 'x',
  created_at: NOW,
  updated_at: NOW,
  expires_at: null,
  max_views: null,
  views: 1,
  revision: 1,
  current_revision: 1,
  ticket: 'ticket',
}
const OPENED = { ...FACTS, sealed: null, title: null, manifest: { page: null, items: [] } }

const reply = (data: unknown) => new Response(JSON.stringify({ code: 200, success: true, message: '', data }))
const refusal = (status: number, code: string) =>
  new Response(JSON.stringify({ code: status, success: false, message: '', error: { code } }), { status })

/** Responds to all requests. The answer is found by the end of the path. */
function serve(answers: Readonly<Record<string, () => Response>>) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    const [path = ''] = url.split('?')
    asked.push(path)
    const answer = answers[path.slice(path.lastIndexOf('/') + 1)]
    if (!answer) throw new TypeError('Failed to fetch')
    return answer()
  })
  return asked
}

beforeEach(() => {
  localStorage.clear()
  forgetTicket('x')
})
afterEach(() => {
  takeEarlyAnswer('x')
  vi.unstubAllGlobals()
})

test('a bundle that the server calls unencrypted is not looked at, but refused', async () => {
  serve({ x: () => reply(OPEN_LOOK) })
  await expect(lookAt('x')).rejects.toMatchObject({ name: 'NotSealedError', known: null })
})

test('a ticket for an open bundle does not make it one', async () => {
  storeTicket('x', { ticket: 'ticket', revision: 1 })
  const asked = serve({ x: () => reply(OPEN_LOOK), opened: () => reply(OPENED) })
  await expect(lookAt('x')).rejects.toMatchObject({ name: 'NotSealedError', known: null })
  expect(asked).toEqual(['/api/bundles/x/opened', '/api/bundles/x'])
})

test('an open bundle that the page opened before its address had a key is not shown', async () => {
  serve({ x: () => reply(OPEN_LOOK) })
  const answer = {
    status: 200,
    text: JSON.stringify({ code: 200, success: true, data: OPENED }),
    retryAfter: null,
  }
  handOver({ slug: 'x', answer, sent: { method: 'POST', url: '/api/bundles/x/open', headers: {} } })
  await expect(lookAt('x')).rejects.toMatchObject({ name: 'NotSealedError', known: null })
})

test.each([
  [
    'it has read this bundle',
    'bundle',
    async (id: string) => noteLook('other', { id, salt: SALT, kdf: null, version: 1 }),
  ],
  ['it has seen a revision of it', 'bundle', async (id: string) => noteRevision(id, 1)],
  ['it keeps its key', 'bundle', async (id: string) => keepKey(id, new Uint8Array(32), 'x')],
  [
    'it has read another bundle at this link',
    'link',
    async () => noteLook('x', { id: 'another', salt: SALT, kdf: null, version: 1 }),
  ],
])('a browser knows a bundle as encrypted: %s', async (name, known, note) => {
  const id = `${ID} ${name}`
  await note(id)
  serve({ x: () => reply({ ...OPEN_LOOK, id }) })
  await expect(lookAt('x')).rejects.toMatchObject({ known })
})

test('a newer revision that cannot be opened shows the old one only without a network', async () => {
  const made = await makeSealedShare({ id: ID, page: 'old' })
  const { salt, kdf } = made.share.facts
  const look = { id: ID, salt, kdf, version: 1 }
  const unlocked = await unlock({ look, secret: made.share.secret, password: null, derivePassword })
  const old = {
    ...FACTS,
    sealed: 1,
    id: ID,
    salt,
    kdf,
    current_revision: 2,
    manifest: Buffer.from(made.sealedManifest).toString('base64'),
  }
  storeTicket('x', { ticket: 'ticket', revision: 1 })
  serve({ opened: () => reply(old) })
  expect(await requestSealed('x', unlocked)).toMatchObject({ revision: 1 })
  const ends = [
    [410, 'bundle.expired'],
    [404, 'bundle.not_found'],
    [428, 'share.ask_first'],
    [500, 'server.internal'],
  ] as const
  for (const [status, code] of ends) {
    serve({ opened: () => reply(old), open: () => refusal(status, code) })
    await expect(requestSealed('x', unlocked)).rejects.toMatchObject({ code })
  }
})
