import * as fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { parseStorageKey } from '../keys.ts'
import { openClient, type S3DriverOptions } from './client.ts'
import { createS3Links } from './links.ts'

const OPTIONS: S3DriverOptions = {
  provider: 'Other',
  endpointUrl: 'https://s3.example.com',
  bucket: 'bucket',
  region: 'eu-west-1',
  accessKeyId: 'id/with+signs',
  secretAccessKey: 'secret/+=',
  pathStyle: true,
  customHost: null,
  clock: { nowMs: () => Date.parse('2026-11-23T10:00:00Z') },
}
const KEY = parseStorageKey('a folder/b+c.txt')
const HOUR = { expiresInSeconds: 3600 }

const open: Array<() => void> = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

async function linksOf(changes: Partial<S3DriverOptions> = {}) {
  const ctx = await openClient({ ...OPTIONS, ...changes })
  open.push(ctx.close)
  return createS3Links(ctx)
}

const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams)

const SIGNED = {
  'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
  'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD',
  'X-Amz-Credential': 'id/with+signs/20261123/eu-west-1/s3/aws4_request',
  'X-Amz-Date': '20261123T100000Z',
  'X-Amz-Expires': '3600',
  'X-Amz-SignedHeaders': 'host',
  'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/) as string,
}

test('only the host is signed, and the purpose of each link', async () => {
  const links = await linksOf()
  const shown = { contentType: 'text/x', contentDisposition: 'inline; filename="文.txt"' }
  expect(queryOf(await links.get(KEY, { ...HOUR, ...shown }))).toEqual({
    ...SIGNED,
    'x-id': 'GetObject',
    'response-content-type': 'text/x',
    'response-content-disposition': 'inline; filename="文.txt"',
  })
  const put = await links.put(KEY, { ...HOUR, contentType: 'text/plain' })
  expect(queryOf(put)).toEqual({ ...SIGNED, 'x-id': 'PutObject' })
  const part = await links.part({ key: KEY, uploadId: 'a+b/c=d~e&f%g' }, 7, HOUR)
  const ids = { partNumber: '7', uploadId: 'a+b/c=d~e&f%g' }
  expect(queryOf(part)).toEqual({ ...SIGNED, ...ids, 'x-id': 'UploadPart' })
})

test('a link lasts at most a week, and a part has a valid number', async () => {
  const links = await linksOf()
  const month = { expiresInSeconds: 30 * 24 * 3600 }
  expect(queryOf(await links.get(KEY, month))).toMatchObject({ 'X-Amz-Expires': '604800' })
  const upload = { key: KEY, uploadId: 'id' }
  await expect(links.part(upload, 10_001, HOUR)).rejects.toMatchObject({ code: 'storage.invalid_part' })
})

test.each<[string, Partial<S3DriverOptions>, string]>([
  ['in the path', {}, 'https://s3.example.com/bucket/a%20folder/b%2Bc.txt'],
  [
    'below the path of the endpoint',
    { endpointUrl: 'http://[::1]:9000/base/' },
    'http://[::1]:9000/base/bucket/a%20folder/b%2Bc.txt',
  ],
  ['in the host', { pathStyle: false }, 'https://bucket.s3.example.com/a%20folder/b%2Bc.txt'],
  [
    'in the path where a host cannot have its name',
    { pathStyle: false, bucket: 'Upper_case' },
    'https://s3.example.com/Upper_case/a%20folder/b%2Bc.txt',
  ],
])('the bucket is %s', async (_name, changes, address) => {
  const { origin, pathname } = new URL(await (await linksOf(changes)).get(KEY, HOUR))
  expect(origin + pathname).toBe(address)
})

test('the path contains any key, encoded once', async () => {
  const links = await linksOf()
  const isKey = (text: string): boolean => {
    try {
      return parseStorageKey(text) === text && text.isWellFormed()
    } catch {
      return false
    }
  }
  const odd = fc.constantFrom("深 folder/it's (1)*!~+&=?#%41.bin", 'a+b c%20d', 'e\u0301/é', '😀/🇦🇹')
  const text = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), odd)
  const property = fc.asyncProperty(text.filter(isKey), async (key) => {
    const { pathname } = new URL(await links.get(parseStorageKey(key), HOUR))
    expect(decodeURIComponent(pathname)).toBe(`/bucket/${key}`)
  })
  await fc.assert(property, { numRuns: 100, seed: 20_261_123 })
})
