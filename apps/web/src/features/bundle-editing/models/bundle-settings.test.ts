import type { BundleDetail } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { openingAfter, settingChanges, settingsOf } from './bundle-settings.ts'

const DETAIL: BundleDetail = {
  id: 'b',
  slug: 'trip',
  url: '/s/trip',
  title: 'Trip',
  remark: 'note',
  ticket: null,
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
  expires_at: '2030-02-01T00:00:00.000Z',
  max_views: null,
  views: 2,
  has_password: true,
  plain_password: 'pw',
  created_by: 'admin',
  revision: 1,
  item_count: 0,
  size: 0,
  opening: 'direct',
  has_pin: false,
  opening_note: null,
  manifest: null,
  sealed: null,
  salt: null,
  kdf: null,
  sealed_manifest: null,
  owner_box: null,
  object_numbers: [],
}
const edit = (more: Partial<ReturnType<typeof settingsOf>>) => ({ ...settingsOf(DETAIL), ...more })

test('sends only what was changed', () => {
  expect(settingChanges(settingsOf(DETAIL), DETAIL)).toEqual({})
  expect(settingChanges(edit({ remark: ' new ', slug: '' }), DETAIL)).toEqual({ remark: 'new', slug: null })
  expect(settingChanges(edit({ passwordChange: 'remove' }), DETAIL)).toEqual({ password: null })
  expect(settingChanges(edit({ expiry: 1 }), DETAIL, Date.UTC(2030, 0, 1))).toEqual({
    expires_at: '2030-01-01T01:00:00.000Z',
  })
})

test('a new view limit or a PIN lets the bundle ask', () => {
  expect(settingChanges(edit({ maxViews: '3' }), DETAIL)).toEqual({ max_views: 3, opening: 'ask' })
  expect(settingChanges(edit({ pinChange: 'set', pin: '1234' }), DETAIL)).toEqual({
    pin: '1234',
    opening: 'ask',
  })
  expect(openingAfter(DETAIL, edit({ opening: 'burn', maxViews: '1' }))).toBe('ask')
})

test('invalid values are not sent', () => {
  for (const wrong of [
    { maxViews: 'x' },
    { slug: 'a/b' },
    { passwordChange: 'set' },
    { pinChange: 'set' },
    { pinChange: 'set', pin: '12' },
  ] as const)
    expect(settingChanges(edit(wrong), DETAIL)).toBeNull()
})
