import { type ManifestObject, PACKED_BELOW_BYTES } from '@dropleaf/seal'
import { expect, test } from 'vitest'
import { describeContents, planObjects, requireSealable, type SealedContents } from './contents.ts'

const fileOf = (name: string, sizeBytes: number) => ({
  path: name,
  file: {
    shown: name,
    path: `/nowhere/${name}`,
    name,
    sizeBytes,
    isUnsized: false,
    modifiedAtMs: 0,
  },
})

const CONTENTS: SealedContents = {
  title: null,
  page: null,
  items: [fileOf('a.md', 10), fileOf('large.bin', PACKED_BELOW_BYTES), fileOf('b.ts', 5), fileOf('c', 0)],
}
const objectsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ n }) as ManifestObject)

test('small files share an object, and the manifest lists all files in their order', () => {
  const plans = planObjects(CONTENTS)
  expect(plans.map(({ sizeBytes }) => sizeBytes)).toEqual([15, PACKED_BELOW_BYTES])
  expect(describeContents(CONTENTS, plans, objectsOf(2)).items).toEqual([
    { path: 'a.md', type: 'text/markdown', object: 0, offset: 0, size: 10, mtime: 0 },
    {
      path: 'large.bin',
      type: 'application/octet-stream',
      object: 1,
      offset: 0,
      size: PACKED_BELOW_BYTES,
      mtime: 0,
    },
    { path: 'b.ts', type: 'text/typescript', object: 0, offset: 10, size: 5, mtime: 0 },
    { path: 'c', type: 'application/octet-stream', object: 0, offset: 15, size: 0, mtime: 0 },
  ])
})

test('a text is stored in the manifest up to 256 KiB, else in an object', () => {
  const page = (text: string): SealedContents => ({
    ...CONTENTS,
    items: [],
    page: { type: 'text/plain', text },
  })
  const short = page('x'.repeat(262_144))
  expect(planObjects(short)).toEqual([])
  expect(describeContents(short, [], [])).toMatchObject({ page: { text: 'x'.repeat(262_144) } })
  const long = page('你'.repeat(100_000))
  const plans = planObjects(long)
  expect(describeContents(long, plans, objectsOf(1)).page).toEqual({
    type: 'text/plain',
    object: 0,
    offset: 0,
    size: 300_000,
  })
})

test.each([
  ['a title', { title: 'x'.repeat(201) }, 'seal.title'],
  ['a text', { page: { type: 'text/plain' as const, text: 'x'.repeat(10 * 1024 ** 2 + 1) } }, 'seal.text'],
  [
    'a file without a size',
    { items: [{ ...fileOf('p', 0), file: { ...fileOf('p', 0).file, isUnsized: true } }] },
    'seal.unsized',
  ],
])('%s that cannot be encrypted is refused', (_, more, text) => {
  expect(() => requireSealable({ ...CONTENTS, ...more })).toThrow(expect.objectContaining({ text }))
})
