import { expect, test } from 'vitest'
import type { Entry } from '../models/entries.ts'
import { mayDrop } from './use-drops.ts'

const entry = (path: string): Entry => ({
  path,
  name: path,
  isFolder: path.endsWith('/'),
  isVirtual: false,
  sizeBytes: 0,
  modifiedAtMs: 0,
  etag: '',
})

test('entries can be dropped only on other folders', () => {
  expect(mayDrop([entry('/m/a.txt')], '/m/f/')).toBe(true)
  expect(mayDrop([entry('/m/a.txt')], '/m/')).toBe(false)
  expect(mayDrop([entry('/m/f/')], '/m/f/')).toBe(false)
  expect(mayDrop([entry('/m/f/')], '/m/f/deeper/')).toBe(false)
  expect(mayDrop([entry('/m/f/')], '/m/f2/')).toBe(true)
  expect(mayDrop([entry('/m/a.txt')], '/')).toBe(false)
  expect(mayDrop([], '/m/f/')).toBe(false)
})
