import { GetObjectCommand, PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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
}

const oddText = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.constantFrom("深 folder/it's (1)*!~+&=?#%41.bin", 'a+b c%20d', 'e\u0301/é', '😀/🇦🇹'),
)
const isKey = (text: string): boolean => {
  try {
    return parseStorageKey(text) === text && text.isWellFormed()
  } catch {
    return false
  }
}
const key = oddText.filter(isKey).map((text) => parseStorageKey(text))
const header = fc.option(
  oddText.filter((text) => text.isWellFormed()),
  { nil: undefined },
)

const place = fc.record({
  endpointUrl: fc.constantFrom(
    'https://s3.example.com',
    'https://S3.example.com:443/',
    'http://s3.example.com:8080',
    'http://s3.example.com:80/base/',
    'https://s3.example.com/base/of it/100%25',
    'http://127.0.0.1:9000',
    'http://[::1]:9000/base',
    'http://localhost:7480',
    'https://s3.eu-west-1.amazonaws.com',
    'https://s3.us-west-004.backblazeb2.com',
    'https://account.r2.cloudflarestorage.com',
  ),
  bucket: fc.constantFrom('bucket', 'a-b-1', 'Upper_case', 'named--x', 'short--use1-az5--x-s3'),
  region: fc.constantFrom('', 'eu-west-1', 'auto', 'us-east-1', 'garage', 'aws-global', 'fips-us-east-1'),
  provider: fc.constantFrom('Other' as const, 'AWS S3' as const, 'Cloudflare R2' as const),
  pathStyle: fc.boolean(),
  nowMs: fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2099-12-31') }),
})

/** A client of its own, with links of ours and the SDK's way to the same. */
async function open({ nowMs, ...where }: Partial<S3DriverOptions> & { nowMs: number }) {
  const ctx = await openClient({ ...OPTIONS, ...where, clock: { nowMs: () => nowMs } })
  // What it sends by itself has a header that no address needs.
  ctx.s3.middlewareStack.remove('adaptHeaders')
  const signing = (expiresIn: number) => ({ expiresIn, signingDate: new Date(nowMs) })
  const Bucket = where.bucket ?? OPTIONS.bucket
  return {
    links: createS3Links(ctx),
    sdk: {
      get: (input: object, seconds: number, Key: string) =>
        getSignedUrl(ctx.s3, new GetObjectCommand({ Bucket, Key, ...input }), signing(seconds)),
      put: (seconds: number, Key: string) =>
        getSignedUrl(ctx.s3, new PutObjectCommand({ Bucket, Key }), signing(seconds)),
      part: (input: { UploadId: string; PartNumber: number }, seconds: number, Key: string) =>
        getSignedUrl(ctx.s3, new UploadPartCommand({ Bucket, Key, ...input }), signing(seconds)),
    },
    [Symbol.dispose]: () => ctx.close(),
  }
}

/** The address, or that there is none: the SDK refuses some names. */
const outcomeOf = (address: Promise<string>) => address.catch(() => 'refused')

describe('signed addresses are those of the SDK', () => {
  test('whatever the key, the headers, the place and the time', async () => {
    const wish = { key, place, contentType: header, contentDisposition: header, uploadId: oddText }
    const numbers = {
      seconds: fc.integer({ min: 1, max: 604_800 }),
      partNumber: fc.integer({ min: 1, max: 10_000 }),
    }
    const property = fc.asyncProperty(fc.record({ ...wish, ...numbers }), async (o) => {
      using at = await open(o.place)
      const life = { expiresInSeconds: o.seconds }
      const { contentType, contentDisposition } = o
      const input = { ResponseContentType: contentType, ResponseContentDisposition: contentDisposition }
      const upload = { key: o.key, uploadId: o.uploadId }
      const part = { UploadId: o.uploadId, PartNumber: o.partNumber }
      const got = [
        at.links.get(o.key, { ...life, contentType, contentDisposition }),
        at.links.put(o.key, life),
        at.links.part(upload, o.partNumber, life),
      ]
      const wanted = [
        at.sdk.get(input, o.seconds, o.key),
        at.sdk.put(o.seconds, o.key),
        at.sdk.part(part, o.seconds, o.key),
      ]
      expect(await Promise.all(got.map(outcomeOf))).toEqual(await Promise.all(wanted.map(outcomeOf)))
    })
    await fc.assert(property, { numRuns: 150, seed: 20_261_123 })
  })
  test('without asking it, where a bucket has its usual place', async () => {
    for (const pathStyle of [true, false]) {
      const { signer, close } = await openClient({ ...OPTIONS, pathStyle })
      const link = { method: 'GET', query: {}, nowMs: 0, expiresInSeconds: 60 } as const
      expect(signer.signLink({ ...link, key: parseStorageKey('a/b') })).toContain('/a/b?X-Amz-Algorithm=')
      close()
    }
  })
})
