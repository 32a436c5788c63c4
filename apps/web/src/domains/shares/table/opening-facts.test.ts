import { expect, test } from 'vitest'
import { isArmable, openingFactsOf } from './opening-facts.tsx'

const opened = {
  previews: 0,
  previewed_at: null,
  previewed_by: null,
  opened_at: '2030-01-01T00:00:00.000Z',
  wrong_pins: 0,
}
const share = { opening: 'ask', has_pin: false, opening_note: opened } as const

test('an opened share can be armed again, as long as its contents are there', () => {
  expect(isArmable(openingFactsOf(share))).toBe(true)
  expect(isArmable(openingFactsOf({ ...share, purged_at: null }))).toBe(true)
  expect(isArmable(openingFactsOf({ ...share, purged_at: '2030-01-02T00:00:00.000Z' }))).toBe(false)
  expect(isArmable(openingFactsOf({ ...share, opening: 'direct' }))).toBe(false)
  expect(isArmable(openingFactsOf({ ...share, opening_note: null }))).toBe(false)
})
