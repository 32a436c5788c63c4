import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBundle, shareBundle, ticketFor } from '../../../../testing/bundles.ts'
import { describeEachStorage, manyOn, type StorageTestApp } from '../../../../testing/storages.ts'

/** Content of a file that readers must not see. A response that contains it has leaked it. */
const BYTES = 'bytes-that-no-reader-may-see'
/** Name of a file outside the shared folder. A listing that contains it has leaked it. */
const UNDISCLOSED = 'undisclosed'

/**
 * Number of generated paths; `READER_PATHS=1000000` is the long run. 0 means a small number that depends on the
 * storage.
 */
const PATHS = Number(process.env['READER_PATHS'] ?? 0)
/** Number of concurrent requests. Without concurrency, a long run would mostly wait for responses. */
const AT_ONCE = PATHS > 0 ? 16 : 1

const SEGMENTS = [
  'live',
  'photos',
  'photos2',
  'photo',
  'PHOTOS',
  'in.txt',
  'known.txt',
  'sub',
  'other',
  'union',
  '..',
  '.',
  '',
  '...',
  '．．',
  '%2e%2e',
  '%2E%2E',
  '%252e%252e',
  '%2f',
  '..%2f',
  '..%5c',
  '%5c',
  '\\',
  '..\\',
  '%c0%ae%c0%ae',
  '%u002e',
  '\u0000',
  '%00',
  '\u202e',
  ';',
  '..;',
  'cafe\u0301',
  'caf\u00e9',
  '~',
  'C:',
  'file:',
]

async function fill(t: StorageTestApp): Promise<string> {
  const m = t.storage.mountPath
  for (const key of [
    'known.txt',
    `${UNDISCLOSED}.txt`,
    'photos2/known.txt',
    `photos2/${UNDISCLOSED}.txt`,
    'photo/in.txt',
  ])
    await t.storage.put(key, BYTES)
  await t.storage.put('photos/in.txt', 'inside')
  await t.storage.put('photos/sub/deep.txt', 'inside')
  await t.storage.put('photos/caf\u00e9/in.txt', 'inside')
  const { slug } = await shareBundle(t.admin, {
    items: [
      { path: 'live', source: { folder: { path: `${m}/photos` } } },
      { path: 'one.txt', source: { ref: { path: `${m}/photos/in.txt` } } },
    ],
  })
  return slug
}

describeEachStorage('the reader of a live folder', ({ startApp, mountPath: m, kind }) => {
  test(
    'cannot read outside of the folder, by any path, through lists, search, files, thumbnails and archives',
    { timeout: 3_600_000 },
    async () => {
      await using t = await startApp()
      const slug = await fill(t)
      const ticket = await ticketFor(t, slug)
      const place = { slug, ticket }
      expect((await readBundle(t, place, 'file', { path: 'live/in.txt' })).text).toBe('inside')
      // Archives are not compressed, so their bytes contain names and contents unchanged.
      const archive = await readBundle(t, place, 'archive', { path: 'live' })
      expect(archive.text).toContain('in.txt')
      expect(archive.text).toContain('inside')
      const segment = fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...SEGMENTS, m.slice(1)) },
        fc.string({ maxLength: 5, unit: 'grapheme' }),
      )
      const path = fc
        .tuple(
          fc.constantFrom('live/', 'live', 'one.txt/', '/live/', `${m}/photos/`, ''),
          fc.array(segment, { maxLength: 6 }),
          fc.constantFrom('/', '', '%2f'),
        )
        .map(([start, segments, end]) => start + segments.join('/') + end)
      const routes = ['list', 'file', 'archive', 'thumbnail'] as const
      const staysInside = fc.asyncProperty(fc.constantFrom(...routes), path, async (route, text) => {
        const answer = await readBundle(t, place, route, { path: text })
        const leaks = [BYTES, UNDISCLOSED].filter((secret) => answer.text.includes(secret))
        expect([text, answer.status < 500, leaks]).toEqual([text, true, []])
      })
      const numRuns = PATHS > 0 ? Math.ceil(PATHS / AT_ONCE) : manyOn(kind, 1500, 200)
      const examples: [(typeof routes)[number], string][] = [
        ['list', 'live/../'],
        ['list', 'live/..%2f'],
        ['file', 'live/../known.txt'],
        ['file', 'live/%2e%2e/known.txt'],
        ['archive', 'live/../photos2'],
        ['archive', 'live2'],
      ]
      await Promise.all(Array.from({ length: AT_ONCE }, () => fc.assert(staysInside, { numRuns, examples })))
      const found = await readBundle(t, place, 'list', { search: 'known' })
      expect(found.text.includes(BYTES) || found.text.includes('known.txt')).toBe(false)
    },
  )

  test('cannot write: each route of the file system refuses the ticket', async () => {
    await using t = await startApp()
    const slug = await fill(t)
    const ticket = await ticketFor(t, slug)
    const before = await t.storage.keys()
    const calls = ['/api/fs/update', '/api/fs/mkdir', '/api/fs/rename']
    for (const url of calls) {
      const answer = await t.visitor.call('POST', url, {
        query: { ticket },
        body: { path: `${m}/photos/in.txt` },
      })
      expect([url, answer.status]).toEqual([url, 401])
    }
    expect(await t.storage.keys()).toEqual(before)
  })
})
