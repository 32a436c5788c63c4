// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { parseLinkKey } from '@dropleaf/seal'
import { afterEach, expect, test, vi } from 'vitest'
import { makeSealedShare, type SealedShare } from '../../../domains/sealed/testing/sealed-share.ts'
import { forgetTicket } from '../models/stored-ticket.ts'
import { lookOnce, openSealedEarly } from './early-sealed.ts'
import { createSealedOpening } from './sealed-opening.ts'

const ID = '00000000-0000-4000-8000-00000000abcd'

/** Answers like the server of one encrypted bundle, and writes down what it was asked. */
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

afterEach(() => {
  vi.unstubAllGlobals()
  forgetTicket('x')
})

async function openInApp({ share: { linkKey } }: SealedShare) {
  const look = await lookOnce('x')
  if (!look) throw new Error('The bundle is encrypted.')
  return createSealedOpening({ slug: 'x', look, secret: parseLinkKey(linkKey), untitled: 'Bundle' })
}

test('the app takes over what was opened before it was loaded, so that one view is used', async () => {
  const made = await makeSealedShare({ id: ID, page: 'hello' })
  const asked = serve(made)
  openSealedEarly('x', `#${made.share.linkKey}`)
  const opening = await openInApp(made)
  expect((await opening.open()).manifest.page?.text).toBe('hello')
  expect(asked).toEqual(['GET /api/bundles/x', 'POST /api/bundles/x/open'])
  // Opening again, for a newer revision, asks the server again.
  forgetTicket('x')
  await opening.open()
  expect(asked).toHaveLength(3)
})

test('a bundle that asks is told to the app, which then has the proof', async () => {
  const made = await makeSealedShare({ id: ID, page: 'hello' })
  const asked = serve(made, { code: 428, message: '', success: false, error: { code: 'share.ask_first' } })
  openSealedEarly('x', `#${made.share.linkKey}`)
  const opening = await openInApp(made)
  await expect(opening.open()).rejects.toMatchObject({ code: 'share.ask_first' })
  expect(opening.proof()).toMatch(/^[\w-]{43}$/)
  expect(asked).toEqual(['GET /api/bundles/x', 'POST /api/bundles/x/open'])
})

test('without an early request, the app asks itself', async () => {
  const made = await makeSealedShare({ id: ID, page: 'hello' })
  const asked = serve(made)
  const opening = await openInApp(made)
  expect((await opening.open()).manifest.page?.text).toBe('hello')
  expect(asked).toEqual(['GET /api/bundles/x', 'POST /api/bundles/x/open'])
})
