import type { FileDetail } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { chooseOpening } from '../../domains/shares/opening-edit.ts'
import { changesOf, editsOf } from './file-edits.ts'

const detail = {
  id: 'f1',
  slug: 'mine',
  remark: null,
  views: 3,
  max_views: 5,
  expires_at: '2030-01-01T00:00:00.000Z',
  has_password: 1,
  use_proxy: 1,
  opening: 'direct',
  has_pin: false,
} as FileDetail

const now = Date.parse('2029-12-31T00:00:00Z')

test('unchanged fields are not sent', () => {
  expect(changesOf(editsOf(detail), detail, now)).toEqual({})
  expect(changesOf({ ...editsOf(detail), remark: ' Hello ' }, detail, now)).toEqual({ remark: 'Hello' })
})

test('expiry counts from now, and never is null', () => {
  const edits = editsOf(detail)
  expect(changesOf({ ...edits, expiry: 24 }, detail, now)).toEqual({ expires_at: '2030-01-01T00:00:00.000Z' })
  expect(changesOf({ ...edits, expiry: 0 }, detail, now)).toEqual({ expires_at: null })
})

test('a blank suffix asks for a random one, and a password is kept, set or removed', () => {
  const edits = editsOf(detail)
  expect(changesOf({ ...edits, slug: '' }, detail, now)).toEqual({ slug: null })
  expect(changesOf({ ...edits, passwordMode: 'set', password: 'x' }, detail, now)).toEqual({ password: 'x' })
  expect(changesOf({ ...edits, passwordMode: 'remove' }, detail, now)).toEqual({ password: null })
})

test('how it opens is sent if it changes, and a PIN is set or removed', () => {
  const edits = editsOf(detail)
  expect(changesOf({ ...edits, opening: 'ask' }, detail, now)).toEqual({ opening: 'ask' })
  expect(changesOf({ ...edits, opening: 'direct' }, detail, now)).toEqual({})
  expect(changesOf({ ...edits, pinMode: 'set', pin: '1234' }, detail, now)).toEqual({
    opening: 'ask',
    pin: '1234',
  })
  const protectedOne = { ...detail, opening: 'ask', has_pin: true } as const
  expect(changesOf({ ...edits, pinMode: 'remove' }, protectedOne, now)).toEqual({ pin: null })
  expect(changesOf({ ...edits, pinMode: 'set', pin: '12' }, detail, now)).toBeNull()
  const unlimited = { ...detail, max_views: null }
  expect(changesOf({ ...editsOf(unlimited), maxViews: '1' }, unlimited, now)).toEqual({
    max_views: 1,
    opening: 'ask',
  })
})

test('burning after reading requires confirmation and allows one view, and is recognized in an existing share', () => {
  const burn = { ...editsOf(detail), ...chooseOpening('burn') }
  expect(changesOf(burn, detail, now)).toEqual({ max_views: 1, opening: 'ask' })
  const burning = { ...detail, opening: 'ask', max_views: 1 } as const
  expect(editsOf(burning).opening).toBe('burn')
  expect(changesOf(editsOf(burning), burning, now)).toEqual({})
})

test('an invalid form sends no changes', () => {
  const edits = editsOf(detail)
  expect(changesOf({ ...edits, slug: 'a b' }, detail, now)).toBeNull()
  expect(changesOf({ ...edits, maxViews: '-1' }, detail, now)).toBeNull()
  expect(changesOf({ ...edits, passwordMode: 'set' }, detail, now)).toBeNull()
})
