import { randomUUID } from 'node:crypto'
import { S3 } from '@aws-sdk/client-s3'
import { mountRoutes, storageConfigRoutes, storageTestRoutes } from '@dropleaf/contract'
import type { Api } from './api.ts'

/** Whether an S3 server is available. The environment can allow that there is none. */
export const hasBuckets = (): boolean => Boolean(process.env['TEST_S3_ENDPOINT'])

export interface MountedBucket {
  readonly configId: string
  /** Writes directly to the bucket, bypassing the server. */
  readonly put: (key: string, content: string) => Promise<void>
  /** All objects of the bucket, keyed by object key. */
  readonly readAll: () => Promise<ReadonlyMap<string, Buffer>>
}

export interface FreshBucket {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly bucket: string
  readonly s3: S3
}

/** Creates a bucket without a CORS rule. */
export async function makeBucket(): Promise<FreshBucket> {
  const {
    TEST_S3_ENDPOINT: endpoint = '',
    TEST_S3_ACCESS_KEY: accessKeyId = '',
    TEST_S3_SECRET_KEY: secretAccessKey = '',
  } = process.env
  const bucket = `dropleaf-e2e-${randomUUID()}`
  const credentials = { accessKeyId, secretAccessKey }
  const s3 = new S3({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  await s3.createBucket({ Bucket: bucket })
  return { endpoint, accessKeyId, secretAccessKey, bucket, s3 }
}

interface BucketOptions {
  /** Address at which the product reaches the S3 server, if it differs. */
  readonly through?: string
}

/** Creates and mounts a bucket. The product's own connection test writes the CORS rule of the bucket. */
export async function mountBucket(
  admin: Api,
  mountPath: string,
  { through }: BucketOptions = {},
): Promise<MountedBucket> {
  const { endpoint, accessKeyId, secretAccessKey, bucket, s3 } = await makeBucket()
  const { data } = await admin.call(storageConfigRoutes.create, {
    body: {
      name: `Bucket ${mountPath}`,
      provider_type: 'Other',
      endpoint_url: through ?? endpoint,
      bucket_name: bucket,
      access_key_id: accessKeyId,
      secret_access_key: secretAccessKey,
      path_style: true,
      region: '',
      default_folder: '',
      custom_host: null,
      is_public: true,
      total_storage_bytes: 1024 ** 4,
    },
  })
  await admin.call(storageTestRoutes.test, { params: { id: data.id }, body: { fix: true } })
  await admin.call(mountRoutes.create, {
    body: {
      name: mountPath.slice(1),
      storage_type: 'S3',
      storage_config_id: data.id,
      mount_path: mountPath,
      remark: null,
      sort_order: null,
      cache_ttl: null,
    },
  })
  const put = async (key: string, content: string) => {
    await s3.putObject({ Bucket: bucket, Key: key, Body: content })
  }
  const readAll = async () => {
    const { Contents: listed = [] } = await s3.listObjectsV2({ Bucket: bucket })
    const objects = new Map<string, Buffer>()
    for (const { Key: key = '' } of listed) {
      const { Body: body } = await s3.getObject({ Bucket: bucket, Key: key })
      objects.set(key, Buffer.from((await body?.transformToByteArray()) ?? []))
    }
    return objects
  }
  return { configId: data.id, put, readAll }
}
