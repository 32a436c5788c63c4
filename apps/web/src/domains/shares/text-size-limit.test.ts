import { PASTE_CONTENT_MAX_BYTES } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { isTooLargeToShare } from './text-size-limit.ts'

test('the size limit of a text counts bytes, not characters', () => {
  expect(isTooLargeToShare('a'.repeat(PASTE_CONTENT_MAX_BYTES))).toBe(false)
  expect(isTooLargeToShare('a'.repeat(PASTE_CONTENT_MAX_BYTES + 1))).toBe(true)
  expect(isTooLargeToShare('中'.repeat(Math.floor(PASTE_CONTENT_MAX_BYTES / 3)))).toBe(false)
  expect(isTooLargeToShare('中'.repeat(Math.floor(PASTE_CONTENT_MAX_BYTES / 3) + 1))).toBe(true)
})
