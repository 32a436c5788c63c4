import type { Manifest, ManifestItem, ManifestObject } from '@dropleaf/seal'
import { expect, test } from 'vitest'
import { ContentNumbers, toOwnManifest } from './content-numbers.ts'
import { buildManifest, planRevision, type PlannedItem } from './plan-revision.ts'

const object = (n: number, size: number): ManifestObject => ({
  n,
  dek: `key ${n}`,
  size,
  stored: size + 48,
  k: 32,
  salts: 'salt',
})
const item = (path: string, at: number, offset: number, size: number): ManifestItem => ({
  path,
  type: 'text/plain',
  mtime: 1,
  object: at,
  offset,
  size,
})

const a = item('a', 0, 0, 10)
const b = item('b', 0, 10, 20)
const film = item('film', 1, 0, 500)
const page = { type: 'text/markdown', object: 2, offset: 0, size: 300_000 } as const
const base: Manifest = {
  v: 1,
  title: 'T',
  page,
  objects: [object(0, 30), object(1, 500), object(2, 300_000)],
  items: [a, b, film],
}
const plan = (items: readonly ManifestItem[], keepsText = true, from = base) =>
  planRevision(from, { items, keepsText })

test('objects stay while everything in them stays, under whatever path and in whatever order', () => {
  expect(plan([film, b, a])).toEqual({ kept: new Set([0, 1, 2]), resent: new Set(), page })
})

test('a removed file takes its object along: what shared it is sent again', () => {
  expect(plan([b, film])).toEqual({ kept: new Set([1, 2]), resent: new Set([b]), page })
  expect(plan([a, b])).toEqual({ kept: new Set([0, 2]), resent: new Set(), page })
})

test('another text leaves the object of the former one, also one that it shares with files', () => {
  expect(plan([a, b, film], false)).toEqual({ kept: new Set([0, 1]), resent: new Set(), page: null })
  const shared = {
    ...base,
    objects: [object(0, 30 + 100), object(1, 500)],
    page: { ...page, object: 0, offset: 30, size: 100 },
  }
  expect(plan([a, b, film], false, shared)).toEqual({
    kept: new Set([1]),
    resent: new Set([a, b]),
    page: null,
  })
  // The text is sent again with the remaining file.
  expect(plan([a, film], true, shared)).toEqual({ kept: new Set([1]), resent: new Set([a]), page: null })
})

test('an object with bytes that no revision names is not kept, and an empty one is', () => {
  const gap = { ...base, objects: [object(0, 31), object(1, 500), object(2, 300_000)] }
  expect(plan([a, b, film], true, gap).kept).toEqual(new Set([1, 2]))
  const empty = item('empty', 3, 0, 0)
  const more = { ...base, objects: [...base.objects, object(3, 0)], items: [...base.items, empty] }
  expect(plan([empty], true, more).kept).toEqual(new Set([3, 2]))
  expect(plan([a, b], true, more).kept).toEqual(new Set([0, 2]))
})

test('the small picture of a removed file does not stay with the others of its object', () => {
  const withThumb = (one: ManifestItem, offset: number) => ({ ...one, thumb: { object: 3, offset, size: 5 } })
  const items = [withThumb(film, 0), withThumb(b, 5)]
  const [first] = items
  const from = {
    ...base,
    objects: [object(0, 30), object(1, 500), object(3, 10)],
    items: [a, ...items],
    page: undefined,
  }
  expect(plan([a, ...items], true, from).kept).toEqual(new Set([0, 1, 3]))
  const less = plan(first ? [a, first] : [], true, from)
  expect(less).toMatchObject({ kept: new Set([1]), resent: new Set([a]) })
  const kept = items.map((before): PlannedItem => ({ path: before.path, before, sent: null }))
  const made = (one: typeof less) =>
    buildManifest(from, {
      plan: one,
      title: null,
      page: null,
      items: kept.slice(0, 1),
      sent: { objects: [] },
    })
  expect(made(plan([a, ...items], true, from)).items[0]).toHaveProperty('thumb')
  expect(made(less).items[0]).not.toHaveProperty('thumb')
})

test('a manifest has the new paths in the new order, and keeps the other facts of each file', () => {
  const sentB = { ...item('b', 7, 0, 20), type: 'application/octet-stream', mtime: 0 }
  const fresh = item('c', 8, 4, 6)
  const made = buildManifest(base, {
    plan: plan([b, film], false),
    title: null,
    page: { type: 'text/plain', text: 'short' },
    items: [
      { path: 'new', before: null, sent: fresh },
      { path: 'papers/b', before: b, sent: sentB },
      { path: 'film', before: film, sent: null },
    ],
    sent: { objects: [object(7, 20), object(8, 10)] },
  })
  expect(made).toEqual({
    v: 1,
    page: { type: 'text/plain', text: 'short' },
    objects: [object(1, 500), object(7, 20), object(8, 10)],
    items: [{ ...fresh, path: 'new' }, { ...b, path: 'papers/b', object: 7, offset: 0 }, film],
  })
})

test('a long text is a slice: the former one, or what was sent', () => {
  const text = 'x'.repeat(300_000)
  const input = { title: 'T', page: { type: 'text/plain', text } as const, items: [] }
  expect(buildManifest(base, { ...input, plan: plan([]), sent: { objects: [] } }).page).toEqual({
    ...page,
    type: 'text/plain',
  })
  const sent = { objects: [object(9, 300_000)], page: { ...page, object: 9 } }
  expect(buildManifest(base, { ...input, plan: plan([], false), sent })).toMatchObject({
    page: { type: 'text/plain', object: 9 },
    objects: [{ n: 9 }],
  })
})

test('contents have the same number in every revision, and empty files are distinguished', () => {
  const numbers = new ContentNumbers()
  const of = (manifest: Manifest) =>
    toOwnManifest(manifest, 'text', numbers).items.map(({ source }) => 'object' in source && source.object)
  const [first, second] = of(base)
  expect(of({ ...base, items: [{ ...b, path: 'renamed' }, a] })).toEqual([second, first])
  // A new object has the number of a deleted object.
  const reused = { ...base, objects: [{ ...object(0, 30), dek: 'another key' }] }
  expect(of({ ...reused, items: [a] })).toEqual([first])
  expect(of({ ...reused, items: [{ ...a, mtime: 2 }] })).not.toEqual([first])
  const empty = { ...base, items: [item('x', 0, 30, 0), { ...item('y', 0, 30, 0), type: 'image/png' }] }
  expect(new Set([...of(empty), numbers.take()]).size).toBe(3)
})
