import { expect, test } from 'vitest'
import { parseReadingSettings } from './reading-settings.ts'

test('stored settings are kept if they are valid, and replaced one by one if not', () => {
  const stored = { view: 'gallery', sort: 'size', order: 'desc' }
  expect(parseReadingSettings(stored)).toEqual(stored)
  const first = { view: 'list', sort: 'name', order: 'asc' }
  expect(parseReadingSettings(null)).toEqual(first)
  expect(parseReadingSettings({ view: 'gallery', sort: 'type', order: 1 })).toEqual({
    ...first,
    view: 'gallery',
  })
})
