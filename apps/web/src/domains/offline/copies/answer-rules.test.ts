import { describe, expect, test } from 'vitest'
import { findExcess, KEPT_MS, cacheable } from './answer-rules.ts'

const nowMs = Date.parse('2030-01-01T00:00:00Z')
const PASTE = { table: 'pastes', key: 'abc' } as const
const open = { slug: 'abc', content: 'the text', hasPassword: false, maxViews: null, expiresAt: null }
const keepPaste = (fields: object) =>
  cacheable(PASTE, { text: JSON.stringify({ code: 200, success: true, ...open, ...fields }), nowMs })

describe('rules for stored responses', () => {
  test('a text without a password is stored unchanged for seven days', () => {
    const text = JSON.stringify({ success: true, ...open, content: '{"plain_password":"x"}' })
    expect(cacheable(PASTE, { text, nowMs })).toEqual({ body: text, expiresAtMs: nowMs + KEPT_MS })
  })

  test('a text with an expiry is stored until then', () => {
    expect(keepPaste({ expiresAt: '2030-01-02T00:00:00Z' })).toMatchObject({
      expiresAtMs: nowMs + 86_400_000,
    })
    expect(keepPaste({ expiresAt: '2031-01-01T00:00:00Z' })).toMatchObject({ expiresAtMs: nowMs + KEPT_MS })
    expect(keepPaste({ expiresAt: '2029-12-31T23:59:59Z' })).toBeNull()
    expect(keepPaste({ expiresAt: 'no date' })).toBeNull()
  })

  test.each([
    { hasPassword: true },
    { requiresPassword: true },
    { maxViews: 1 },
    { opening: 'ask' },
    { success: false },
  ])('a text with %o is not kept', (fields) => {
    expect(keepPaste(fields)).toBeNull()
  })

  test('a list is stored with the start of its texts, except protected ones', () => {
    const place = { table: 'answers', key: '/api/admin/pastes?limit=20' } as const
    const row = { slug: 'a', content_preview: 'begins so', has_password: 0, max_views: null }
    const rows = [row, { ...row, has_password: 1 }, { ...row, max_views: 3 }]
    const kept = cacheable(place, { text: JSON.stringify({ success: true, data: rows }), nowMs })
    const beginnings = (JSON.parse(kept?.body ?? '{}') as { data: (typeof row)[] }).data
    expect(beginnings.map(({ content_preview: text }) => text)).toEqual(['begins so', '', ''])
  })

  test('responses that are not JSON objects, or very large, are not stored', () => {
    expect(cacheable(PASTE, { text: '<html>', nowMs })).toBeNull()
    expect(cacheable(PASTE, { text: '[]', nowMs })).toBeNull()
    expect(keepPaste({ content: 'x'.repeat(12_000_001) })).toBeNull()
  })

  test('the facts of a file are stored without the links that open it', () => {
    const file = {
      slug: 'f',
      filename: 'a.pdf',
      requires_password: false,
      max_views: null,
      expires_at: null,
      previewUrl: 'https://s3/x?X-Amz-Signature=1',
      s3_direct_download_url: 'https://s3/x?X-Amz-Signature=1',
      proxy_preview_url: 'http://h/api/file-view/f',
    }
    const kept = cacheable({ table: 'files', key: 'f' }, { text: JSON.stringify({ data: file }), nowMs })
    expect(JSON.parse(kept?.body ?? '')).toEqual({
      data: { slug: 'f', filename: 'a.pdf', requires_password: false, max_views: null, expires_at: null },
    })
    const guarded = JSON.stringify({ data: { ...file, requires_password: true } })
    expect(cacheable({ table: 'files', key: 'f' }, { text: guarded, nowMs })).toBeNull()
  })

  test('a list is stored without its passwords', () => {
    const files = [{ id: 1, plain_password: 'secret', max_views: 3, s3_url: 'https://s3/a' }]
    const text = JSON.stringify({ data: { files } })
    const kept = cacheable({ table: 'answers', key: '/api/user/files' }, { text, nowMs })
    expect(JSON.parse(kept?.body ?? '')).toEqual({
      data: { files: [{ id: 1, plain_password: null, max_views: 3 }] },
    })
  })

  test("an owner's view of one text follows the rules of the text", () => {
    const place = { table: 'answers', key: '/api/admin/pastes/abc' } as const
    const detail = { id: '1', content: 'text', has_password: 0, max_views: null, expires_at: null }
    expect(cacheable(place, { text: JSON.stringify({ data: detail }), nowMs })).not.toBeNull()
    const guarded = JSON.stringify({ data: { ...detail, has_password: 1, plain_password: 'secret' } })
    expect(cacheable(place, { text: guarded, nowMs })).toBeNull()
  })
})

describe('what has to go', () => {
  const kept = (id: string, ageMs: number, sizeBytes = 1) => ({ id, cachedAtMs: nowMs - ageMs, sizeBytes })

  test('too many: the oldest', () => {
    const all = [kept('old', 30), kept('new', 10), kept('middle', 20)]
    expect(findExcess(all, { count: 2, bytes: 100 }, nowMs)).toEqual(['old'])
  })

  test('too large: those for which there is no room beside newer ones', () => {
    const all = [kept('old', 30, 40), kept('new', 10, 60), kept('middle', 20, 60)]
    expect(findExcess(all, { count: 9, bytes: 100 }, nowMs)).toEqual(['middle', 'old'])
  })

  test('too old: after seven days', () => {
    const all = [kept('kept', KEPT_MS - 1), kept('gone', KEPT_MS)]
    expect(findExcess(all, { count: 9, bytes: 100 }, nowMs)).toEqual(['gone'])
  })
})
