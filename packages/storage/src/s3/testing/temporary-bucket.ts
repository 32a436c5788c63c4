import { randomUUID } from 'node:crypto'
import { S3 } from '@aws-sdk/client-s3'
import { inject } from 'vitest'
import { mapBounded } from '../../concurrency.ts'
import { createS3Driver, type S3Driver } from '../driver.ts'
import type { S3DriverOptions } from '../client.ts'

/** Creates a bucket on the gateway, and a client with direct access. The bucket is emptied and removed at the end. */
export async function temporaryBucket() {
  const gateway = inject('s3Gateway')
  if (gateway === null) throw new Error('There is no S3 gateway.')
  const bucket = `dropleaf-${randomUUID()}`
  const { virtualHostUrl, ...access } = gateway
  const { endpointUrl, accessKeyId, secretAccessKey } = access
  const s3 = new S3({
    endpoint: endpointUrl,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  })
  await s3.createBucket({ Bucket: bucket })
  const options: S3DriverOptions = {
    provider: 'Other',
    ...access,
    bucket,
    region: '',
    pathStyle: true,
    customHost: null,
    conditionalWrite: true,
  }
  const open = (changes: Partial<S3DriverOptions> = {}): Promise<S3Driver> =>
    createS3Driver({ ...options, ...changes })
  const driver = await open()
  const remove = async () => {
    await driver.sweepTemporary({ olderThanMs: 0 })
    let isTruncated = true
    while (isTruncated) {
      const page = await s3.listObjectsV2({ Bucket: bucket, EncodingType: 'url' })
      await mapBounded(page.Contents ?? [], 32, ({ Key = '' }) =>
        s3.deleteObject({ Bucket: bucket, Key: decodeURIComponent(Key.replaceAll('+', '%20')) }),
      )
      isTruncated = page.IsTruncated ?? false
    }
    await s3.deleteBucket({ Bucket: bucket })
    await driver.close()
    s3.destroy()
  }
  return { bucket, s3, driver, open, virtualHostUrl, remove, [Symbol.asyncDispose]: remove }
}
