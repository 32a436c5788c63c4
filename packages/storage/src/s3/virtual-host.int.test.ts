import dns from 'node:dns'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { randomBody, sha256, textBody } from '../conformance/fixture.ts'
import { parseForeignKey, parseStorageKey } from '../keys.ts'
import { PART_MIN_BYTES } from '../parts.ts'
import type { S3Driver } from './driver.ts'
import { temporaryBucket } from './testing/temporary-bucket.ts'

const virtualHostUrl = inject('s3Gateway')?.virtualHostUrl ?? null
const HOUR = { expiresInSeconds: 3600 }

/** Resolves every name below the gateway's host name to the gateway, because few systems resolve such names. */
function resolveBuckets(hostname: string): void {
  const { lookup } = dns
  const stand = (name: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [name.endsWith(`.${hostname}`) ? hostname : name, ...rest])
  vi.spyOn(dns, 'lookup').mockImplementation(stand)
}

describe.skipIf(virtualHostUrl === null)('the bucket in the name of the host [s3]', () => {
  let bucket: Awaited<ReturnType<typeof temporaryBucket>>
  let driver: S3Driver
  const endpoint = new URL(virtualHostUrl ?? 'http://none')
  beforeAll(async () => {
    resolveBuckets(endpoint.hostname)
    bucket = await temporaryBucket()
    driver = await bucket.open({ endpointUrl: virtualHostUrl ?? '', pathStyle: false })
  })
  afterAll(async () => {
    await driver.close()
    await bucket.remove()
    vi.restoreAllMocks()
  })

  test('writes, reads, lists, copies and removes', async () => {
    const [from, to] = [parseStorageKey('源 + %/a b.txt'), parseStorageKey('to/b')]
    const written = await driver.write(from, textBody('hello'), { contentType: 'text/plain' })
    expect(await driver.stat(from)).toMatchObject({ sizeBytes: 5, etag: written.etag })
    expect(await bucket.driver.stat(from)).toMatchObject({ etag: written.etag })
    await driver.copy(from, to)
    const { objects } = await driver.list({ prefix: '', limit: 10 })
    expect(objects.map(({ key }) => key)).toEqual([to, from])
    const { body } = await driver.read(to, { range: { firstByte: 1, lastByte: 3 } })
    expect(Buffer.concat(await body.toArray()).toString()).toBe('ell')
    expect(await driver.remove([from, to])).toEqual({ removed: 2, failed: [] })
    expect(await driver.probe()).toEqual({ freeBytes: null })
  })

  test.each(['/docs/a b.txt', '//x', 'a//b///c'])('accepts the foreign key %j unchanged', async (text) => {
    const key = parseForeignKey(text)
    const plain = parseStorageKey(text.split('/').filter(Boolean).join('/'))
    await driver.write(plain, textBody('another'))
    // Writes without the driver, as another program would.
    await bucket.s3.putObject({ Bucket: bucket.bucket, Key: text, Body: 'foreign' })
    for (const at of [driver, bucket.driver]) {
      expect(Buffer.concat(await (await at.read(key)).body.toArray()).toString()).toBe('foreign')
      expect(await at.stat(key)).toMatchObject({ sizeBytes: 7 })
      expect(await (await fetch(await at.links.get(key, HOUR))).text()).toBe('foreign')
    }
    expect(await driver.remove([key])).toEqual({ removed: 1, failed: [] })
    expect([await driver.stat(key), (await driver.stat(plain))?.sizeBytes]).toEqual([null, 7])
    await driver.remove([plain])
  })

  test('signs URLs at the host of the bucket', async () => {
    const key = parseStorageKey('照片/a b+c.png')
    const put = await driver.links.put(key, HOUR)
    expect(new URL(put).host).toBe(`${bucket.bucket}.${endpoint.host}`)
    expect(new URL(put).pathname).toBe('/%E7%85%A7%E7%89%87/a%20b%2Bc.png')
    expect((await fetch(put, { method: 'PUT', body: 'by link' })).status).toBe(200)
    expect(await (await fetch(await driver.links.get(key, HOUR))).text()).toBe('by link')
  })

  test('accepts parts, by the driver and by URL', async () => {
    const key = parseStorageKey('big')
    const upload = await driver.multipart?.create(key)
    if (!upload) throw new Error('No upload.')
    const first = randomBody(PART_MIN_BYTES)
    const one = await driver.multipart?.uploadPart(upload, 1, first.body(), { sizeBytes: PART_MIN_BYTES })
    const answer = await fetch(await driver.links.part(upload, 2, HOUR), { method: 'PUT', body: 'end' })
    const two = { partNumber: 2, etag: (answer.headers.get('etag') ?? '').replaceAll('"', '') }
    await driver.multipart?.complete(upload, [...(one ? [one] : []), two])
    const { body } = await driver.read(key)
    const expected = Buffer.concat([first.bytes, Buffer.from('end')])
    expect(sha256(Buffer.concat(await body.toArray()))).toBe(sha256(expected))
  })
})
