import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { apiKeyRoutes } from '../administration/api-keys.ts'
import { fileRoutes } from '../shares/files.ts'
import type { InputOf } from './route.ts'
import { pasteRoutes } from '../shares/pastes.ts'
import { findSlugProblem } from '../shares/slugs.ts'
import { parseInstant } from './wire.ts'

const paste = (extra: Partial<InputOf<typeof pasteRoutes.create, 'body'>>) =>
  z.safeParse(pasteRoutes.create.body, { content: 'x', ...extra })

describe('lenient input', () => {
  test('absent, null and blank optional fields are null', () => {
    expect(paste({}).data).toEqual({
      content: 'x',
      content_type: 'text/markdown',
      slug: null,
      remark: null,
      password: null,
      expiresAt: null,
      maxViews: null,
      opening: null,
      pin: null,
    })
    expect(
      paste({ slug: '', remark: ' ', password: null, expiresAt: '', maxViews: null }).data,
    ).toMatchObject({ slug: null, remark: null, maxViews: null })
  })

  test('numbers may be text', () => {
    expect(paste({ maxViews: '5' }).data?.maxViews).toBe(5)
    expect(paste({ maxViews: '5x' }).success).toBe(false)
    expect(paste({ maxViews: -1 }).success).toBe(false)
    expect(paste({ maxViews: 1.5 }).success).toBe(false)
    expect(z.parse(fileRoutes.adminList.query, {})).toMatchObject({ limit: 50, offset: 0, created_by: null })
  })

  test('NUL characters and wrong types are rejected', () => {
    expect(paste({ remark: 'a\u0000b' }).success).toBe(false)
    expect(paste({ remark: { a: 1 } as unknown as string }).success).toBe(false)
    expect(paste({ content: 'a\u0000b' }).success).toBe(false)
    expect(paste({ content: ' \n ' }).success).toBe(false)
    expect(paste({ slug: 'x'.repeat(1_000_000) }).success).toBe(false)
  })

  test('a name is one line that reads in one direction', () => {
    const isName = (name: string) => z.safeParse(apiKeyRoutes.create.body, { name }).success
    expect(['phone', ' 电话 📱 ', 'كتاب', 'a\u200db'].map(isName)).toEqual([true, true, true, true])
    for (const mark of ['\n', '\r', '\t', '\u0000', '\u0085', '\u2028', '\u202e', '\u2066'])
      expect([mark, isName(`a${mark}b`)]).toEqual([mark, false])
  })

  test('content above 10 MiB of UTF-8 is rejected', () => {
    expect(paste({ content: '字'.repeat(3_495_254) }).success).toBe(false)
    expect(paste({ content: '字'.repeat(3_495_253) }).success).toBe(true)
  })

  test('an expiry is parsed as an instant', () => {
    expect(paste({ expiresAt: '2030-01-01T00:00:00Z' }).data?.expiresAt).toBe(Date.UTC(2030, 0, 1))
    expect(paste({ expiresAt: 'tomorrow' }).success).toBe(false)
    expect(parseInstant('2030-01-01 10:00:00')).toBe(Date.UTC(2030, 0, 1, 10))
    expect(parseInstant('2030-01-01')).toBe(Date.UTC(2030, 0, 1))
    expect(parseInstant('2030-01-01T10:00:00+08:00')).toBe(Date.UTC(2030, 0, 1, 2))
    expect(parseInstant('2030-13-01T10:00:00Z')).toBeUndefined()
  })

  test('an API key expires by default, never, or at a date', () => {
    const expiry = (body: object) => z.safeParse(apiKeyRoutes.create.body, { name: 'k', ...body })
    expect(expiry({}).data?.expires_at).toEqual({ kind: 'default' })
    expect(expiry({ expires_at: null }).data?.expires_at).toEqual({ kind: 'never' })
    expect(expiry({ expires_at: 'never' }).data?.expires_at).toEqual({ kind: 'never' })
    expect(expiry({ expires_at: '2030-01-01' }).data?.expires_at).toEqual({
      kind: 'at',
      atMs: Date.UTC(2030, 0, 1),
    })
    expect(expiry({ expires_at: 'soon' }).success).toBe(false)
    expect(expiry({ custom_key: 'a b' }).success).toBe(false)
  })

  test('absent fields of a file update stay absent', () => {
    expect(z.parse(fileRoutes.adminUpdate.body, {})).toEqual({})
    expect(z.parse(fileRoutes.adminUpdate.body, { slug: null, max_views: null, expires_at: null })).toEqual({
      slug: null,
      max_views: null,
      expires_at: null,
    })
  })
})

test('slugs contain letters, digits, hyphen and underscore, at most 50, and no reserved word', () => {
  expect(findSlugProblem('a-B_9')).toBeNull()
  expect(findSlugProblem('a b')).toBe('characters')
  expect(findSlugProblem('中文')).toBe('characters')
  expect(findSlugProblem('x'.repeat(51))).toBe('length')
  expect(findSlugProblem('Admin')).toBe('reserved')
})
