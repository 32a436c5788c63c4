import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TestAnswer } from '../../../../testing/app.ts'
import { fsDoors } from '../../../../testing/fs-doors.ts'
import { describeEachStorage, localDisk, manyOn, type StorageTestApp } from '../../../../testing/storages.ts'

/** Content that no request contains, so it appears in a response only if it leaked. */
const BYTES = 'bytes-that-nobody-outside-may-read'
const UNDISCLOSED = 'undisclosed'

/** Paths that could lead out of `/m/photos`, for a mount at `m`. */
const waysOut = (m: string): readonly string[] => [
  '/',
  '',
  m,
  `${m}/`,
  `${m}/known.txt`,
  `${m}/photos2/`,
  `${m}/photos2/known.txt`,
  `${m}/photo/known.txt`,
  `${m}/PHOTOS/known.txt`,
  '/other/',
  '/other/known.txt',
  '/other/photos/known.txt',
  `${m}/photos/../known.txt`,
  `${m}/photos/../photos2/known.txt`,
  `${m}/photos/./../photos2/known.txt`,
  `${m}/photos/%2e%2e/known.txt`,
  `${m}/photos/%2E%2E/photos2/`,
  `${m}/photos/..%2fphotos2/known.txt`,
  `${m}/photos%2f..%2fphotos2/known.txt`,
  `${m}/photos/%252e%252e/known.txt`,
  `${m}/photos/..\\photos2\\known.txt`,
  `${m}/photos\\..\\photos2/known.txt`,
  `${m}/photos/..%5cphotos2/known.txt`,
  `${m}//photos2/known.txt`,
  `${m}/photos//../photos2/known.txt`,
  `//${m}/photos2/known.txt`,
  `/${m}/known.txt`,
  `${m}/photos/..;/photos2/known.txt`,
  `${m}/photos/.../photos2/known.txt`,
  `${m}/photos/．．/photos2/known.txt`,
  `${m}/photos/..\u0000/photos2/known.txt`,
  `${m}/photos/%00/../../known.txt`,
  `${m}/photos\u202e/known.txt`,
  `${m}/./photos2/known.txt`,
  `${m}/photos/../../other/known.txt`,
  '../../known.txt',
  'photos2/known.txt',
  `${m}/photos2`,
  `${m}/photos/../`,
  `${m}/photos/..`,
]

const SEGMENTS = [
  'photos',
  'photos2',
  'other',
  'known.txt',
  '..',
  '.',
  '',
  '%2e%2e',
  '%2f',
  '..%2f',
  '%5c',
  '\\',
  '%252e%252e',
  '．．',
  '\u0000',
  'in.txt',
]

/** Returns the URLs in a response. None of the URLs may point to an object outside the folder. */
function addressesIn(answer: TestAnswer): string[] {
  if (answer.status >= 300 || answer.body === undefined) return []
  const addresses = [...answer.text.matchAll(/"(?:[a-zA-Z_]*url|location)":"(https?:[^"]+)"/gi)]
  // Skips share URLs, which contain no object key, and the URL from the request itself.
  return addresses
    .map(([, url]) => url ?? '')
    .filter((url) => !/\/api\/file-(?:view|download)\/|127\.0\.0\.1:1\//.test(url))
}

const keyOfAddress = (address: string): string => {
  const path = decodeURIComponent(new URL(address).pathname)
  // The path is `/api/storage/<config>/<key>` on this server and `/<bucket>/<key>` on the gateway.
  return path.startsWith('/api/storage/')
    ? path.split('/').slice(4).join('/')
    : path.split('/').slice(2).join('/')
}
const isInsideKey = (key: string) => key.startsWith('photos/') || key.startsWith('.dropleaf-')

async function fillStorages(t: StorageTestApp) {
  const disk = await localDisk(t)
  for (const key of [
    'known.txt',
    'undisclosed-1.txt',
    'photos2/known.txt',
    'photos2/undisclosed-2.txt',
    'photo/known.txt',
  ])
    await t.storage.put(key, BYTES)
  await t.storage.put('photos/in.txt', 'inside')
  await t.storage.put('photos/sub/deep.txt', 'inside')
  await t.storage.put('PHOTOS/known.txt', BYTES)
  const config = await t.admin.call('POST', '/api/s3-configs', {
    body: { name: 'Other', provider_type: 'Local disk', bucket_name: 'other', is_public: true },
  })
  const otherConfigId = config.body.data.id
  const other = await t.admin.call('POST', '/api/admin/mounts', {
    body: { name: 'Other', storage_type: 'S3', storage_config_id: otherConfigId, mount_path: '/other' },
  })
  const write = (path: string) => t.admin.call('POST', '/api/fs/update', { body: { path, content: BYTES } })
  for (const path of ['/other/known.txt', '/other/undisclosed-3.txt', '/other/photos/known.txt'])
    expect((await write(path)).status).toBe(200)
  const presigned = (
    await t.admin.call('POST', '/api/fs/presign', {
      body: { path: `${t.storage.mountPath}/`, fileName: 'pending.txt', fileSize: 8 },
    })
  ).body.data
  const parts = (
    await t.admin.call('POST', '/api/fs/multipart/init', {
      body: { path: `${t.storage.mountPath}/`, fileName: 'pending.bin', fileSize: 8 },
    })
  ).body.data
  return {
    disk,
    outside: {
      inside: `${t.storage.mountPath}/photos`,
      configId: t.storage.configId,
      otherConfigId,
      mountId: t.storage.mountId,
      otherMountId: other.body.data.id,
      fileId: presigned.fileId,
      uploadId: parts.uploadId,
      multipartPath: `${t.storage.mountPath}/`,
    },
  }
}

/** Returns all objects outside the base path, with their content. */
async function pictureOf(t: StorageTestApp): Promise<string[]> {
  const keys = (await t.storage.keys()).filter((key) => !key.startsWith('photos/'))
  const picture = []
  for (const key of keys) picture.push(`${key}=${key.endsWith('/') ? '' : await t.storage.text(key)}`)
  const other = await t.admin.call('GET', '/api/fs/list', { query: { path: '/other/', refresh: '1' } })
  return [
    ...picture,
    ...other.body.data.items.map((item: { path: string; size: number }) => `${item.path}=${item.size}`),
  ]
}

function expectNothingLeaked(what: string, answer: TestAnswer): void {
  expect([what, answer.status < 500 || answer.status === 502, answer.text.slice(0, 300)]).toEqual([
    what,
    true,
    answer.text.slice(0, 300),
  ])
  expect([what, answer.text.includes(BYTES), answer.text.includes(UNDISCLOSED)]).toEqual([what, false, false])
  expect([
    what,
    addressesIn(answer)
      .map(keyOfAddress)
      .filter((key) => !isInsideKey(key)),
  ]).toEqual([what, []])
}

/**
 * Selects the combinations of path and call to test. Buckets are slow, so only a third of the combinations is tested
 * on a bucket, unless `EVERY_PAIR=1` is set.
 */
const isAsked = (kind: 'disk' | 's3', place: number): boolean => place % manyOn(kind, 1, 3) === 0

describeEachStorage('a key that is limited to a folder', ({ startApp, mountPath: m, kind }) => {
  test(
    'cannot read, find, link, copy or change anything outside, through any interface and with any spelling',
    { timeout: 300_000 },
    async () => {
      await using t = await startApp()
      const { outside } = await fillStorages(t)
      const key = await t.keyClient({
        mount_permission: true,
        file_permission: true,
        basic_path: `${m}/photos`,
      })
      const before = await pictureOf(t)
      expect(before.length).toBeGreaterThan(6)
      const calls = fsDoors(outside)
      for (const [row, path] of waysOut(m).entries()) {
        for (const [column, [name, call]] of Object.entries(calls).entries()) {
          if (!isAsked(kind, row + column)) continue
          const what = `${name}: ${JSON.stringify(path)}`
          expectNothingLeaked(what, await call(key, path))
        }
      }
      await t.ctx.tasks.drain()
      expect(await pictureOf(t)).toEqual(before)
      expect((await key.call('GET', '/api/tasks')).text).not.toContain(BYTES)
    },
  )

  test('cannot do so with any generated path', { timeout: 300_000 }, async () => {
    await using t = await startApp()
    const { outside } = await fillStorages(t)
    const key = await t.keyClient({
      mount_permission: true,
      file_permission: true,
      basic_path: `${m}/photos`,
    })
    const before = await pictureOf(t)
    const calls = fsDoors(outside)
    const segment = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...SEGMENTS, m.slice(1)) },
      fc.string({ maxLength: 6 }),
    )
    const path = fc
      .tuple(
        fc.constantFrom('', '/', `${m}/`, `${m}/photos/`),
        fc.array(segment, { maxLength: 6 }),
        fc.constantFrom('', '/'),
      )
      .map(([start, segments, end]) => start + segments.join('/') + end)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(calls)), path, async (name, text) => {
        const answer = await calls[name]?.(key, text)
        if (answer) expectNothingLeaked(`${name}: ${JSON.stringify(text)}`, answer)
      }),
      {
        numRuns: 200,
        seed: 1,
        examples: [
          ['list', `${m}/photos/`],
          ['remove', `${m}/photos/../known.txt`],
          ['copy from', `${m}/photos/../known.txt`],
        ],
      },
    )
    await t.ctx.tasks.drain()
    expect(await pictureOf(t)).toEqual(before)
  })

  test('cannot change anything inside if it is read-only', async () => {
    await using t = await startApp()
    const { outside } = await fillStorages(t)
    const reader = await t.keyClient({
      mount_permission: true,
      mount_read_only: true,
      basic_path: `${m}/photos`,
    })
    const before = await t.storage.keys()
    for (const [name, call] of Object.entries(fsDoors(outside))) {
      const answer = await call(reader, `${m}/photos/in.txt`)
      expect([name, answer.status < 500]).toEqual([name, true])
    }
    await t.ctx.tasks.drain()
    expect(await t.storage.keys()).toEqual(before)
    expect(await t.storage.text('photos/in.txt')).toBe('inside')
  })
})
