import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { temporaryBucket } from '@dropleaf/storage/testing'
import { expect, inject, test } from 'vitest'
import { type Intercept, startFaultProxy } from '../../server/src/testing/fault-proxy.ts'
import { address, BASE, bytesOf, dropleaf, inPlace, MIB, useBucket, useServer } from './testing/world.ts'

useServer()

const gateway = inject('s3Gateway')

test.skipIf(gateway === null)(
  'encrypted parts are sent to and read from the bucket directly, and the server receives none of their bytes',
  async () => {
    if (gateway === null) return
    await using bucket = await temporaryBucket()
    await using storage = await startFaultProxy(gateway.endpointUrl, () => false)
    await useBucket({ ...gateway, endpointUrl: storage.url, bucket: bucket.bucket })
    let passedBytes = 0
    const intercept: Intercept = (request, response) => {
      request.on('data', (chunk: Buffer) => void (passedBytes += chunk.length))
      const write = response.write.bind(response)
      response.write = ((chunk: Buffer, ...more: []) => {
        passedBytes += chunk.length
        return write(chunk, ...more)
      }) as typeof response.write
      return false
    }
    await using proxy = await startFaultProxy(address, intercept)
    const env = { DROPLEAF_SERVER: proxy.url + BASE }
    const marker = `marker-${randomBytes(12).toString('hex')}`
    const big = Buffer.concat([Buffer.from(marker), randomBytes(17 * MIB)])
    await inPlace(`${marker}.bin`, big)
    const shared = await dropleaf(['file', `${marker}.bin`, '--seal'], { env })
    expect(shared).toMatchObject({ code: 0, err: '' })
    const got = await dropleaf(['get', shared.out.trim(), '-o', 'got.bin'], { env })
    expect(got).toMatchObject({ code: 0, err: '' })
    expect((await bytesOf('got.bin')).equals(big)).toBe(true)
    expect(passedBytes).toBeGreaterThan(0)
    expect(passedBytes).toBeLessThan(100_000)
    const { Contents: objects = [] } = await bucket.s3.listObjectsV2({ Bucket: bucket.bucket })
    expect(objects).toHaveLength(1)
    for (const { Key = '' } of objects) {
      expect(Key).not.toContain(marker)
      const { Body } = await bucket.s3.getObject({ Bucket: bucket.bucket, Key })
      const stored = await text(Body as NodeJS.ReadableStream)
      expect(stored.startsWith('DLS1')).toBe(true)
      expect(stored).not.toContain(marker)
    }
  },
)

test.skipIf(gateway === null)('an interrupted download of an encrypted copy resumes', async () => {
  if (gateway === null) return
  await using bucket = await temporaryBucket()
  let isBroken = false
  const ranges: number[] = []
  await using storage = await startFaultProxy(gateway.endpointUrl, ({ headers, method }, response) => {
    const first = /^bytes=(\d+)-/.exec(headers.range ?? '')?.[1]
    if (method !== 'GET' || first === undefined) return false
    ranges.push(Number(first))
    if (!isBroken || Number(first) === 0) return false
    response.destroy()
    return true
  })
  await useBucket({ ...gateway, endpointUrl: storage.url, bucket: bucket.bucket })
  const big = randomBytes(17 * MIB)
  await inPlace('big.bin', big)
  const shared = await dropleaf(['file', 'big.bin', '--seal', '--link', 'copied'])
  const link = shared.out.trim()
  // The server cannot reach the storage either, so the command cannot read through the server.
  isBroken = true
  expect(await dropleaf(['get', link, '--encrypted'])).toMatchObject({ code: 5, out: '' })
  isBroken = false
  ranges.length = 0
  expect(await dropleaf(['get', link, '--encrypted'])).toMatchObject({ code: 0, err: '' })
  expect(ranges.length).toBeGreaterThan(0)
  expect(ranges).not.toContain(0)
  const opened = await dropleaf(['open', 'copied.dropleaf.zip', link, '-o', 'opened.bin'])
  expect(opened).toMatchObject({ code: 0, err: '' })
  expect((await bytesOf('opened.bin')).equals(big)).toBe(true)
})
