import { expect, test } from 'vitest'
import { namesOfSettings } from './setting-names.ts'

test('settings have the labels of their page; settings without a label keep their name', () => {
  const words: Record<string, string> = {
    'settings.uploads.maxSize': 'Maximum file size',
  }
  const t = ((key: string) => words[key] ?? key) as Parameters<typeof namesOfSettings>[1]
  expect(namesOfSettings('max_upload_size', t)).toBe('Maximum file size')
  expect(namesOfSettings('step, max_upload_size, toString', t)).toBe('step, Maximum file size, toString')
})
