import { expect, test } from 'vitest'
import { areSame, compareManifests, type ComparedManifest } from './manifest-changes.ts'

const object = (path: string, number: number) => ({ path, source: { object: number } })
const manifest = (more: Partial<ComparedManifest>): ComparedManifest => ({
  title: null,
  page: null,
  items: [],
  ...more,
})
const NONE = {
  added: [],
  removed: [],
  replaced: [],
  renamed: [],
  isReordered: false,
  title: null,
  page: null,
  isOtherFormat: false,
}
const compareItems = (before: ComparedManifest['items'], after: ComparedManifest['items']) =>
  compareManifests(manifest({ items: before }), manifest({ items: after }))

test('the same contents have no changes', () => {
  const one = manifest({ title: 'T', page: { type: 'text/plain', text: 'x' }, items: [object('a', 1)] })
  expect(compareManifests(one, structuredClone(one))).toEqual(NONE)
  expect(areSame(NONE)).toBe(true)
})

test('files are added, removed and replaced', () => {
  const changes = compareItems([object('a', 1), object('b', 2)], [object('a', 3), object('c', 4)])
  expect(changes).toEqual({ ...NONE, added: ['c'], removed: ['b'], replaced: ['a'] })
  expect(areSame(changes)).toBe(false)
})

test('the same object under another path is renamed', () => {
  const changes = compareItems([object('a', 1), object('b', 1)], [object('c', 1), object('d', 2)])
  expect(changes).toEqual({ ...NONE, added: ['d'], removed: ['b'], renamed: [{ from: 'a', to: 'c' }] })
})

test('references are compared by their path and mode, folders by their path', () => {
  const ref = (mode: 'follow' | 'pin', path = '/m/a') => ({ path: 'a', source: { ref: { path, mode } } })
  const folder = (path: string) => ({ path: 'f', source: { folder: { path } } })
  expect(compareItems([ref('follow')], [ref('follow')])).toEqual(NONE)
  expect(compareItems([ref('follow')], [ref('pin')])).toEqual({ ...NONE, replaced: ['a'] })
  expect(compareItems([ref('pin')], [ref('pin', '/m/b')])).toEqual({ ...NONE, replaced: ['a'] })
  expect(compareItems([folder('/m')], [folder('/n')])).toEqual({ ...NONE, replaced: ['f'] })
})

test('another order counts only for what is in both', () => {
  const [a, b, c] = [object('a', 1), object('b', 2), object('c', 3)]
  expect(compareItems([a, b], [b, a])).toEqual({ ...NONE, isReordered: true })
  expect(compareItems([a, b, c], [a, c])).toEqual({ ...NONE, removed: ['b'] })
  expect(compareItems([a, c], [b, a, c])).toEqual({ ...NONE, added: ['b'] })
})

test('title, text and format are compared', () => {
  const page = (text: string, type: 'text/markdown' | 'text/plain' = 'text/markdown') => ({ text, type })
  expect(
    compareManifests(manifest({ title: 'A', page: page('x') }), manifest({ title: 'B', page: page('y') })),
  ).toEqual({ ...NONE, title: { before: 'A', after: 'B' }, page: { before: 'x', after: 'y' } })
  expect(compareManifests(manifest({}), manifest({ page: page('y') }))).toEqual({
    ...NONE,
    page: { before: '', after: 'y' },
  })
  expect(
    compareManifests(manifest({ page: page('x') }), manifest({ page: page('x', 'text/plain') })),
  ).toEqual({ ...NONE, isOtherFormat: true })
})
