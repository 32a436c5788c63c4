import type { PasteDetail } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { chooseOpening } from '../../../../domains/shares/opening-edit.ts'
import {
  areFieldsValid,
  fieldsOf,
  isChanged,
  isEditDraft,
  updateBody,
  withoutPassword,
} from './edit-model.ts'

const detail: PasteDetail = {
  id: 'p1',
  slug: 'abc',
  content: 'text',
  content_type: 'text/markdown',
  remark: 'note',
  expires_at: '2030-05-01T12:34:56.000Z',
  max_views: 5,
  views: 2,
  has_password: 1,
  opening: 'direct',
  has_pin: false,
  opening_note: null,
  plain_password: null,
  created_by: 'admin',
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
}
const fields = fieldsOf(detail)

test('changing only the text keeps everything else, including the exact expiry', () => {
  expect(updateBody(detail, fields, 'new')).toEqual({
    content: 'new',
    content_type: 'text/markdown',
    remark: 'note',
    expiresAt: '2030-05-01T12:34:56.000Z',
    maxViews: 5,
    password: null,
    clearPassword: false,
  })
})

test('a new suffix is sent, an emptied one asks for a random one', () => {
  expect(updateBody(detail, { ...fields, slug: ' other ' }, 'x')).toMatchObject({ newSlug: 'other' })
  expect(updateBody(detail, { ...fields, slug: '' }, 'x')).toMatchObject({ newSlug: null })
})

test('a password is set or removed only on request', () => {
  const set = { ...fields, passwordChange: 'set', password: 'p' } as const
  expect(updateBody(detail, set, 'x')).toMatchObject({ password: 'p', clearPassword: false })
  expect(areFieldsValid({ ...set, password: '' })).toBe(false)
  const removed = { ...fields, passwordChange: 'remove', password: 'typed before' } as const
  expect(updateBody(detail, removed, 'x')).toMatchObject({ password: null, clearPassword: true })
})

test('burning after reading requires confirmation and allows one view, and is recognized in an existing share', () => {
  const burn = { ...fields, ...chooseOpening('burn') }
  expect(updateBody(detail, burn, 'x')).toMatchObject({ maxViews: 1, opening: 'ask' })
  const burning = { ...detail, opening: 'ask', max_views: 1 } as const
  expect(fieldsOf(burning).opening).toBe('burn')
  expect(isChanged(burning, fieldsOf(burning), 'text')).toBe(false)
  expect(updateBody(burning, fieldsOf(burning), 'x')).not.toHaveProperty('opening')
})

test('how it opens is sent if it changes, and a PIN is set or removed', () => {
  expect(updateBody(detail, { ...fields, opening: 'ask' }, 'x')).toMatchObject({ opening: 'ask' })
  const set = { ...fields, pinChange: 'set', pin: '1234' } as const
  expect(updateBody(detail, set, 'x')).toMatchObject({ opening: 'ask', pin: '1234' })
  expect(areFieldsValid({ ...set, pin: '12' })).toBe(false)
  expect(withoutPassword(set)).toMatchObject({ pinChange: 'keep', pin: '' })
  const asking = { ...detail, opening: 'ask', has_pin: true } as const
  expect(updateBody(asking, { ...fields, pinChange: 'remove' }, 'x')).toMatchObject({ pin: null })
  const unlimited = { ...detail, max_views: null }
  expect(updateBody(unlimited, { ...fields, maxViews: '1' }, 'x')).toMatchObject({ opening: 'ask' })
})

test('a cleared limit and a choice of never are sent as such', () => {
  const body = updateBody(detail, { ...fields, maxViews: '0', expiry: 0 }, 'x')
  expect(body).toMatchObject({ maxViews: null, expiresAt: null })
})

test('changes are detected, and drafts of them contain no password', () => {
  expect(isChanged(detail, fields, 'text')).toBe(false)
  expect(isChanged(detail, fields, 'text ')).toBe(true)
  expect(isChanged(detail, { ...fields, remark: '' }, 'text')).toBe(true)
  const draft = withoutPassword({ ...fields, passwordChange: 'set', password: 'secret' })
  expect(JSON.stringify(draft)).not.toContain('secret')
  expect(isEditDraft({ text: 'a', updatedAt: 'b', fields: draft })).toBe(true)
  expect(isEditDraft({ text: 'a' })).toBe(false)
  expect(isEditDraft(null)).toBe(false)
})
