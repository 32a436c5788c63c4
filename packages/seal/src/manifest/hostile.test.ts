import { expect, test } from 'vitest'
import { toBase64url } from '../core/bytes.ts'
import { deriveShareKeys } from '../keys/schedule.ts'
import { counting, filled } from '../testing/stored.ts'
import { sealManifest } from './manifest.ts'
import { findManifestProblems } from './manifest.rules.ts'
import type { Manifest, ManifestItem, ManifestObject } from './manifest.schema.ts'

const SALT = toBase64url(filled(16, 0xa0))
const object = (fields: Partial<ManifestObject> = {}): ManifestObject => ({
  n: 0,
  dek: toBase64url(counting(32)),
  size: 100,
  stored: 148,
  k: 32,
  salts: SALT,
  ...fields,
})
const item = (fields: Partial<ManifestItem> = {}): ManifestItem => ({
  path: 'a.txt',
  type: 'text/plain',
  object: 0,
  offset: 0,
  size: 10,
  ...fields,
})
const manifest = (fields: Partial<Manifest> = {}): Manifest => ({
  v: 1,
  objects: [object()],
  items: [item()],
  ...fields,
})
const { manifestKey } = await deriveShareKeys({
  secret: counting(32),
  salt: filled(16, 0),
  passwordKey: null,
})
const place = {
  bundleId: '00112233-4455-6677-8899-aabbccddeeff',
  revision: 1,
  salts: { salt: SALT, kdf: null },
}
const seal = (value: Manifest) => sealManifest({ manifest: value, manifestKey, place })

test('slices behind each other, a thumbnail and a page share an object', async () => {
  const good = manifest({
    title: 'Pictures',
    page: { type: 'text/markdown', object: 0, offset: 50, size: 50 },
    objects: [object(), object({ n: 7, dek: toBase64url(filled(32, 1)), size: 0, stored: 48 })],
    items: [
      item({ path: 'b/c.png', offset: 10, size: 30, thumb: { object: 0, offset: 40, size: 10 }, mtime: -1 }),
      item({ path: 'a.txt' }),
      item({ path: 'empty', object: 7, size: 0 }),
      item({ path: 'also empty', offset: 100, size: 0 }),
    ],
  })
  expect(findManifestProblems(good)).toEqual([])
  await expect(seal(good)).resolves.toBeDefined()
})

test.each<[string, Partial<Manifest>, string]>([
  ['nothing', { items: [] }, 'empty'],
  ['overlapping slices', { items: [item(), item({ path: 'b', offset: 9 })] }, 'items.1.offset'],
  ['equal slices', { items: [item(), item({ path: 'b' })] }, 'items.1.offset'],
  [
    'a slice within another',
    { items: [item({ size: 100 }), item({ path: 'b', offset: 50, size: 1 })] },
    'items.1.offset',
  ],
  [
    'a thumbnail over its picture',
    { items: [item({ thumb: { object: 0, offset: 5, size: 1 } })] },
    'items.0.thumb.offset',
  ],
  ['a page over a file', { page: { type: 'text/plain', object: 0, offset: 9, size: 2 } }, 'page.offset'],
  ['a slice beyond its object', { items: [item({ offset: 91 })] }, 'items.0.size'],
  ['an empty slice beyond its object', { items: [item({ offset: 101, size: 0 })] }, 'items.0.size'],
  ['a huge slice', { items: [item({ offset: 1, size: Number.MAX_SAFE_INTEGER })] }, 'items.0.size'],
  [
    'a slice of the padding',
    { objects: [object({ stored: 248 })], items: [item({ offset: 100 })] },
    'items.0.size',
  ],
  ['an unknown object', { items: [item({ object: 1 })] }, 'items.0.object'],
  ['duplicate paths', { items: [item(), item({ offset: 10 })] }, 'items.1.path'],
  ['paths that differ in case', { items: [item(), item({ path: 'A.TXT', offset: 10 })] }, 'items.1.path'],
  ['a file below a file', { items: [item(), item({ path: 'a.txt/b', offset: 10 })] }, 'items.1.path'],
  ['traversal', { items: [item({ path: '../a' })] }, 'items.0.path'],
  ['traversal within', { items: [item({ path: 'a/../../b' })] }, 'items.0.path'],
  ['an absolute path', { items: [item({ path: '/etc/passwd' })] }, 'items.0.path'],
  ['a path of Windows', { items: [item({ path: 'a\\..\\b' })] }, 'items.0.path'],
  ['a path with a direction character', { items: [item({ path: 'a\u202Egnp.exe' })] }, 'items.0.path'],
  ['a long name', { items: [item({ path: 'x'.repeat(256) })] }, 'items.0.path'],
  ['an empty path', { items: [item({ path: '' })] }, 'items.0.path'],
  ['a long path', { items: [item({ path: 'x/'.repeat(500) + 'y' })] }, 'items.0.path'],
  [
    'two objects with one number',
    { objects: [object(), object({ dek: toBase64url(filled(32, 1)) })] },
    'objects.1.n',
  ],
  ['two objects with one key', { objects: [object(), object({ n: 1 })] }, 'objects.1.dek'],
  ['a short key', { objects: [object({ dek: SALT })] }, 'objects.0.dek'],
  ['an object smaller than its file', { objects: [object({ stored: 147 })] }, 'objects.0.stored'],
  ['an object of a size that none has', { objects: [object({ stored: 20 })] }, 'objects.0.stored'],
  ['no salts', { objects: [object({ salts: '' })] }, 'objects.0.salts'],
  ['salts of too many parts', { objects: [object({ salts: `${SALT},${SALT}` })] }, 'objects.0.salts'],
  ['too many salts', { objects: [object({ salts: SALT.repeat(257) })] }, 'objects.0.salts'],
  ['no segments in a part', { objects: [object({ k: 0 })] }, 'objects.0.k'],
  ['parts above 5 GiB', { objects: [object({ k: 20_480 })] }, 'objects.0.k'],
  ['a fraction', { items: [item({ offset: 0.5 })] }, 'items.0.offset'],
  ['a negative size', { items: [item({ size: -1 })] }, 'items.0.size'],
  ['a type with a line break', { items: [item({ type: 'text/html\r\nX: y' })] }, 'items.0.type'],
  ['a type with parameters', { items: [item({ type: 'text/html; charset=x' })] }, 'items.0.type'],
  [
    'a large thumbnail',
    { items: [item({ thumb: { object: 0, offset: 0, size: 2 ** 20 + 1 } })] },
    'items.0.thumb.size',
  ],
  [
    'too many items',
    { items: Array.from({ length: 10_001 }, (_, n) => item({ path: `${n}`, size: 0 })) },
    'items',
  ],
  ['too many objects', { objects: Array.from({ length: 10_001 }, () => object()) }, 'objects'],
  ['a long title', { title: 'x'.repeat(201) }, 'title'],
])('%s: refused', async (_, fields, problem) => {
  await expect(seal(manifest(fields))).rejects.toMatchObject({
    code: 'manifest.invalid',
    details: expect.arrayContaining([problem]),
  })
})

test('a manifest with 10,000 items is checked fast enough for a page', () => {
  const items = Array.from({ length: 10_000 }, (_, n) => item({ path: `folder/${n}`, offset: n, size: 1 }))
  expect(
    findManifestProblems(manifest({ objects: [object({ size: 10_000, stored: 10_048 })], items })),
  ).toEqual([])
})
