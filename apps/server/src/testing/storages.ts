import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { parseFolderKey, parseStorageKey, type StorageDriver } from '@dropleaf/storage'
import { temporaryBucket } from '@dropleaf/storage/testing'
import { describe, inject } from 'vitest'
import { getConfig } from '../features/foundation/storage-configs/storage-configs.usecases.ts'
import {
  type DatabaseTools,
  describeEachDatabase,
  describeOneDatabase,
  type StartOptions,
  type TestApp,
} from './app.ts'

type Bucket = Awaited<ReturnType<typeof temporaryBucket>>

/** A storage and its mount, with direct access to the stored objects. */
export interface TestStorage {
  readonly kind: 'disk' | 's3'
  readonly mountPath: string
  readonly mountId: string
  readonly configId: string
  driver(): Promise<StorageDriver>
  /** Returns the keys of all objects below a prefix, folder markers included. */
  keys(prefix?: string): Promise<string[]>
  /** Reads an object as text. */
  text(key: string): Promise<string>
  /** Writes directly to the storage. A key that ends in `/` creates a folder marker. */
  put(key: string, content?: string | Buffer, contentType?: string): Promise<void>
  /** Removes objects directly from the storage. */
  remove(...keys: string[]): Promise<void>
}

export interface S3Mount extends TestStorage, AsyncDisposable {
  readonly bucket: Bucket
}

export interface S3MountOptions {
  readonly mountPath: string
  /** Whether API keys are allowed to use the storage. */
  readonly isPublic?: boolean
  readonly isDefault?: boolean
  readonly cacheTtl?: number
  readonly defaultFolder?: string
  readonly customHost?: string | null
  /** URL of a proxy in front of the gateway. */
  readonly endpointUrl?: string
}

export function storageAt(
  t: TestApp,
  place: Pick<TestStorage, 'kind' | 'mountPath' | 'mountId' | 'configId'>,
): TestStorage {
  const driver = async () => t.ctx.storage.driverFor(await getConfig(t.ctx, place.configId))
  const keyOf = (key: string) => (key.endsWith('/') ? parseFolderKey(key) : parseStorageKey(key))
  return {
    ...place,
    driver,
    async keys(prefix = '') {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const page = await (await driver()).list({ prefix, limit: 1000, cursor })
        found.push(...page.objects.map(({ key }) => key))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      return found
    },
    async text(key) {
      return text((await (await driver()).read(keyOf(key))).body)
    },
    async put(key, content = '', contentType) {
      const bytes = Buffer.from(content)
      const body = Readable.from(bytes.length === 0 ? [] : [bytes])
      await (await driver()).write(keyOf(key), body, { sizeBytes: bytes.length, contentType })
    },
    async remove(...keys) {
      await (await driver()).remove(keys.map(keyOf))
    },
  }
}

const CAPACITY_BYTES = 1024 ** 4
const OPEN_TO_BROWSERS = {
  CORSRules: [
    {
      AllowedOrigins: ['*'],
      AllowedMethods: ['GET', 'PUT', 'HEAD'],
      AllowedHeaders: ['*'],
      ExposeHeaders: ['ETag'],
    },
  ],
}

/**
 * Creates a bucket on the gateway that any web page can access, and mounts it as a storage. The bucket is emptied and
 * deleted at the end. Signed URLs of the gateway expire in real time, so start the app with the real time.
 */
export async function addS3Mount(t: TestApp, o: S3MountOptions): Promise<S3Mount> {
  const gateway = inject('s3Gateway')
  if (gateway === null) throw new Error('There is no gateway.')
  const bucket = await temporaryBucket()
  await bucket.s3.putBucketCors({ Bucket: bucket.bucket, CORSConfiguration: OPEN_TO_BROWSERS })
  const create = async (url: string, body: object): Promise<string> => {
    const answer = await t.admin.call('POST', url, { body })
    if (answer.status !== 201) throw new Error(`${url} failed: ${answer.text}`)
    return answer.body.data.id
  }
  const configId = await create('/api/s3-configs', {
    name: `Gateway ${o.mountPath}`,
    provider_type: 'Other',
    endpoint_url: o.endpointUrl ?? gateway.endpointUrl,
    bucket_name: bucket.bucket,
    access_key_id: gateway.accessKeyId,
    secret_access_key: gateway.secretAccessKey,
    path_style: true,
    is_public: o.isPublic ?? true,
    default_folder: o.defaultFolder ?? '',
    custom_host: o.customHost ?? null,
    total_storage_bytes: CAPACITY_BYTES,
  })
  if (o.isDefault) await t.admin.call('PUT', `/api/s3-configs/${configId}/set-default`)
  const mountId = await create('/api/admin/mounts', {
    name: o.mountPath.slice(1),
    storage_type: 'S3',
    storage_config_id: configId,
    mount_path: o.mountPath,
    ...(o.cacheTtl === undefined ? {} : { cache_ttl: o.cacheTtl }),
  })
  return {
    ...storageAt(t, { kind: 's3', mountPath: o.mountPath, mountId, configId }),
    bucket,
    [Symbol.asyncDispose]: () => bucket.remove(),
  }
}

/** Gives the object of a share another key, as in versions without a separate folder for shares. */
export async function moveShareTo(
  t: TestApp,
  storage: TestStorage,
  { slug, key }: { slug: string; key: string },
): Promise<void> {
  const share = t.ctx.db.selectFrom('files').select('storage_key').where('slug', '=', slug)
  const { storage_key: from } = await share.executeTakeFirstOrThrow()
  await storage.put(key, await storage.text(from))
  await t.ctx.db.updateTable('files').set({ storage_key: key }).where('slug', '=', slug).execute()
  await (await storage.driver()).remove([parseStorageKey(from)])
}

/** Returns the local disk that the first start creates. It is mounted at `/local`, and API keys can use it. */
export async function localDisk(t: TestApp): Promise<TestStorage> {
  const mount = await t.ctx.db
    .selectFrom('mounts')
    .selectAll()
    .where('mount_path', '=', '/local')
    .executeTakeFirstOrThrow()
  return storageAt(t, {
    kind: 'disk',
    mountPath: '/local',
    mountId: mount.id,
    configId: mount.storage_config_id ?? '',
  })
}

export interface StorageTestApp extends TestApp {
  /** The storage under test. The local disk always exists as well. */
  readonly storage: TestStorage
}

export interface EachStorageTools {
  readonly kind: 'disk' | 's3'
  readonly engine: 'sqlite' | 'postgres'
  /** Path of the mount: `/local` or `/s3`. */
  readonly mountPath: string
  /**
   * Starts the application with the real time, because the gateway's signed URLs depend on it. After the start, only
   * the test advances the clock.
   */
  readonly startApp: (options?: StartOptions) => Promise<StorageTestApp>
}

type StartStorageApp = EachStorageTools['startApp']

/** How a suite starts the application for each kind of storage. */
const ROUNDS = {
  disk: (start: (options?: StartOptions) => Promise<TestApp>): StartStorageApp =>
    async function startWithDisk(options) {
      const t = await start(options)
      return { ...t, storage: await localDisk(t) }
    },
  s3: (start: (options?: StartOptions) => Promise<TestApp>): StartStorageApp =>
    async function startWithBucket(options) {
      const t = await start(options)
      const storage = await addS3Mount(t, { mountPath: '/s3' })
      return {
        ...t,
        storage,
        async [Symbol.asyncDispose]() {
          await storage[Symbol.asyncDispose]()
          await t[Symbol.asyncDispose]()
        },
      }
    },
}

/**
 * Returns the storages that a suite uses with a database. This is usually one storage, because database and storage do
 * not depend on each other. The suite uses both with `EVERY_PAIR=1`, or if the other database or storage is not
 * available.
 */
function storagesOn(engine: 'sqlite' | 'postgres'): readonly ('disk' | 's3')[] {
  const isOneMissing = inject('postgresUrl') === '' || inject('s3Gateway') === null
  if (isOneMissing || process.env.EVERY_PAIR === '1') return ['disk', 's3']
  return engine === 'sqlite' ? ['disk'] : ['s3']
}

/**
 * Returns `many` for the disk and `few` for a gateway, which takes ten times as long per object. With `EVERY_PAIR=1`,
 * always returns `many`.
 */
export const manyOn = (kind: 'disk' | 's3', many: number, few: number): number =>
  kind === 'disk' || process.env.EVERY_PAIR === '1' ? many : few

/** Returns the number of entries per page of a listing in tests that use {@link manyOn}. */
export const pageOn = (kind: 'disk' | 's3'): number => manyOn(kind, 1000, 100)

/** Limits the pages of a storage to {@link pageOn}, so that a few hundred objects take several pages. */
export async function shortenPages(storage: TestStorage): Promise<void> {
  const driver = await storage.driver()
  const whole = driver.list.bind(driver)
  const longest = pageOn(storage.kind)
  driver.list = (query, options) => whole({ ...query, limit: Math.min(query.limit, longest) }, options)
}

type StorageSuite = (tools: EachStorageTools) => void

const onStorages =
  (suite: StorageSuite) =>
  ({ startApp, engine }: DatabaseTools) => {
    const start = (options?: StartOptions) => startApp({ now: new Date().toISOString(), ...options })
    for (const kind of storagesOn(engine))
      describe.skipIf(kind === 's3' && inject('s3Gateway') === null)(`[${kind}]`, () => {
        suite({
          kind,
          engine,
          mountPath: kind === 'disk' ? '/local' : '/s3',
          startApp: ROUNDS[kind](start),
        })
      })
  }

/**
 * Runs a suite on SQLite with the local disk, and on PostgreSQL with a bucket of an S3 gateway. `EVERY_PAIR=1` adds the
 * other pairs.
 */
export function describeEachStorage(name: string, suite: StorageSuite): void {
  describeEachDatabase(name, onStorages(suite))
}

/**
 * Runs a slow suite on one pair of database and storage, because the other pairs would show little more. With
 * `EVERY_PAIR=1`, runs the suite on all pairs.
 */
export function describeOneStorage(kind: 'disk' | 's3', name: string, suite: StorageSuite): void {
  describeOneDatabase(kind === 'disk' ? 'sqlite' : 'postgres', name, onStorages(suite))
}

/** Calls `happen` after each removal of objects. */
export async function afterEachRemoval(t: StorageTestApp, happen: (count: number) => Promise<unknown>) {
  const driver = (await t.storage.driver()) as unknown as Record<'remove', StorageDriver['remove']>
  const remove = driver.remove.bind(driver)
  let count = 0
  driver.remove = async (keys, o) => {
    const result = await remove(keys, o)
    count += 1
    await happen(count)
    return result
  }
}
