// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { parseLinkKey } from '@dropleaf/seal'
import { afterEach, expect, test, vi } from 'vitest'
import { makeSealedShare, type SealedShare } from '../../../domains/sealed/testing/sealed-share.ts'
import { noteRevision, OlderRevisionError } from '../../../domains/sealed/reading/seen-revisions.ts'
import { handOver, takeEarlyAnswer } from '../../../domains/shares/early-answer.ts'
import { placeState } from '../models/bundle-place.ts'
import { forgetTicket } from '../models/stored-ticket.ts'
import { openSealedEarly } from './early-sealed.ts'
import { findKnownLook } from './known-looks.ts'
import { lookAt } from './open-sealed.ts'
import { createSealedOpening } from './sealed-opening.ts'

const ID = '00000000-0000-4000-8000-00000000abcd'

/** Responds like a server with one encrypted bundle, and records the requests. */
function serve({ share, sealedManifest }: SealedShare, refusal: object | null = null) {
  const asked: string[] = []
  const { salt, kdf } = share.facts
  const now = '2026-01-01T00:00:00.000Z'
  const facts = { id: ID, sealed: 1, salt, kdf }
  const opened = {
    ...facts,
    slug: 'x',
    created_at: now,
    updated_at: now,
    expires_at: null,
    max_views: null,
    views: 1,
    revision: 1,
    current_revision: 1,
    ticket: 'ticket',
    manifest: Buffer.from(sealedManifest).toString('base64'),
  }
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    asked.push(`${method} ${url}`)
    const isOpening = method === 'POST'
    if (isOpening && refusal) return new Response(JSON.stringify(refusal), { status: 428 })
    const data = isOpening ? opened : { ...facts, opening: 'direct', expires_at: null }
    return new Response(JSON.stringify({ code: 200, success: true, message: '', data }))
  })
  return asked
}

const URL = '/api/bundles/x'

/** Opens the bundle in the same way as the first script of the page. */
function openEarly(linkKey: string) {
  const first = fetch(URL)
  const open = async (proof: string) => {
    const response = await fetch(`${URL}/open`, { method: 'POST', body: JSON.stringify({ proof }) })
    const answer = { status: response.status, text: await response.text(), retryAfter: null }
    handOver({ slug: 'x', answer, sent: { method: 'POST', url: `${URL}/open`, headers: {} } })
    return answer.status === 200 ? answer.text : null
  }
  return openSealedEarly({ linkKey, first, open })
}

afterEach(() => {
  vi.unstubAllGlobals()
  forgetTicket('x')
  takeEarlyAnswer('x')
  window.history.replaceState(null, '')
  localStorage.clear()
})

async function openInApp({ share: { linkKey } }: SealedShare) {
  const look = await lookAt('x')
  return createSealedOpening({ slug: 'x', look, secret: parseLinkKey(linkKey), untitled: 'Bundle' })
}

test('the text is decrypted before the app is loaded, which takes over what was opened: one view', async () => {
  const made = await makeSealedShare({ id: ID, page: 'hello' })
  const asked = serve(made)
  const early = await openEarly(made.share.linkKey)
  expect(early?.manifest.page?.text).toBe('hello')
  expect(early?.decrypted?.linkKey).toBe(made.share.linkKey)
  expect(findKnownLook('x')?.id).toBe(ID)
  const opening = await openInApp(made)
  expect((await opening.open()).manifest.page?.text).toBe('hello')
  expect(asked).toEqual(['GET /api/bundles/x', 'POST /api/bundles/x/open'])
  // Opening the bundle again, for a newer revision, sends another request to the server.
  forgetTicket('x')
  await opening.open()
  expect(asked).toHaveLength(3)
})

test('a bundle that asks is told to the app, which then has the proof', async () => {
  const made = await makeSealedShare({ id: ID, page: 'hello' })
  const asked = serve(made, { code: 428, message: '', success: false, error: { code: 'share.ask_first' } })
  expect(await openEarly(made.share.linkKey)).toBeNull()
  const opening = await openInApp(made)
  await expect(opening.open()).rejects.toMatchObject({ code: 'share.ask_first' })
  expect(opening.proof()).toMatch(/^[\w-]{43}$/)
  expect(asked.filter((line) => line.startsWith('POST'))).toHaveLength(1)
})

test.each([
  ['another key', async () => (await makeSealedShare({ id: ID, page: 'other' })).share.linkKey],
  ['a text that is no key', async () => 'x'.repeat(43)],
])('%s shows nothing early', async (_name, makeKey) => {
  serve(await makeSealedShare({ id: ID, page: 'hello' }))
  expect(await openEarly(await makeKey())).toBeNull()
})

test('a folder in which this tab was is left to the app', async () => {
  const made = await makeSealedShare({ id: ID, page: 'hello' })
  serve(made)
  window.history.replaceState(placeState({ at: '/folder/' }), '')
  expect(await openEarly(made.share.linkKey)).toBeNull()
})

test('without an early request, the app asks itself', async () => {
  const made = await makeSealedShare({ id: ID, page: 'hello' })
  const asked = serve(made)
  const opening = await openInApp(made)
  expect((await opening.open()).manifest.page?.text).toBe('hello')
  expect(asked).toEqual(['GET /api/bundles/x', 'POST /api/bundles/x/open'])
})

// This test is last, because the browser remembers the newest revision that it has seen.
test('an earlier revision than the one that this browser has seen is left to the app, which warns', async () => {
  const made = await makeSealedShare({ id: ID, page: 'hello' })
  serve(made)
  noteRevision(ID, 2)
  expect(await openEarly(made.share.linkKey)).toBeNull()
  await expect((await openInApp(made)).open()).rejects.toBeInstanceOf(OlderRevisionError)
})
