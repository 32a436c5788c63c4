import type { StorageDriver } from '../driver.ts'
import type { StorageKey } from '../keys.ts'
import { openClient, type S3DriverOptions } from './client.ts'
import { copyObject } from './copying.ts'
import { createS3Links } from './links.ts'
import { listObjects, statFolder } from './listing.ts'
import { createS3Multipart } from './multipart.ts'
import { publicUrl } from './public-url.ts'
import { readObject, statObject } from './reading.ts'
import { removeObjects } from './removal.ts'
import { sweepUploads } from './sweep.ts'
import { probeBucket, writeObject } from './writing.ts'

export interface S3Driver extends StorageDriver {
  readonly kind: 's3'
  /**
   * Returns the URL under the custom host; null without a custom host. If a signed link is given, the URL contains its
   * query.
   */
  publicUrl(key: StorageKey, signedUrl?: string): string | null
}

/**
 * Creates a driver that stores objects in a bucket of an S3 provider. Sends no request, so the first call shows whether
 * the bucket can be used. If `write` sends one request, it returns the time of this machine; `stat` returns the
 * storage's time.
 */
export async function createS3Driver(options: S3DriverOptions): Promise<S3Driver> {
  const ctx = await openClient(options)
  return {
    kind: 's3',
    capabilities: {
      conditionalWrite: ctx.traits.keepsCondition,
      serverSideCopy: true,
      nestedKeys: true,
    },
    links: createS3Links(ctx),
    multipart: createS3Multipart(ctx),
    stat: (key, o) => statObject(ctx, key, o),
    statFolder: (key, o) => statFolder(ctx, key, o),
    list: (query, o) => listObjects(ctx, query, o),
    read: (key, o) => readObject(ctx, key, o),
    write: (key, body, o) => writeObject(ctx, key, body, o),
    copy: (from, to, o) => copyObject(ctx, from, to, o),
    move: null,
    moveFolder: null,
    remove: (keys, o) => removeObjects(ctx, keys, o),
    sweepTemporary: (o) => sweepUploads(ctx, o),
    probe: (o) => probeBucket(ctx, o),
    publicUrl: (key, signedUrl) => publicUrl(options, key, signedUrl),
    close() {
      ctx.close()
      return Promise.resolve()
    },
  }
}
