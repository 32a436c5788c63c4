import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import {
  examineBucket,
  type FindingParams,
  parseStorageKey,
  removeAll,
  type S3Examination,
  type StorageDriver,
  StorageError,
  type StorageErrorCode,
} from '@dropleaf/storage'
import type { Needs } from '../../../context.ts'
import { formatBytes } from '../../../lib/sizes.ts'
import { openCredential, s3ProviderOf } from '../../../storage/drivers.ts'
import type { FindingCode, OwnCode } from './doctor-texts/index.ts'
import { isLocalDisk } from './storage-configs.models.ts'
import { storageConfigsRepository } from './storage-configs.repository.ts'
import type { StorageConfigRow } from './storage-configs.table.ts'
import { driverOf, getConfig } from './storage-configs.usecases.ts'

export interface ConfigFinding {
  readonly code: FindingCode
  readonly severity: 'error' | 'warning' | 'info'
  readonly params: FindingParams
  readonly isFixable: boolean
  readonly isFixed?: boolean
}

export interface DiskExamination {
  readonly objects: readonly { key: string; sizeBytes: number; modifiedAtMs: number }[] | null
  readonly uploadMs: number
  readonly testKey: string
  readonly isWritten: boolean
  readonly freeBytes: number | null
}

export interface ConfigTest {
  readonly config: StorageConfigRow
  readonly findings: readonly ConfigFinding[]
  /** Both `s3` and `disk` are `null` if the test could not start. */
  readonly s3: S3Examination | null
  readonly disk: DiskExamination | null
}

export interface TestOrder {
  /** Origin of the page that uploads to the storage. */
  readonly origin: string
  readonly isToFix: boolean
  readonly signal?: AbortSignal
}

const own = (code: OwnCode, params: FindingParams = {}): ConfigFinding => ({
  code,
  severity: code === 'disk_low' ? 'warning' : 'error',
  params,
  isFixable: false,
})

/**
 * Tests a storage and reports problems. With `isToFix`, also adds missing CORS and lifecycle rules to the bucket.
 * Updates the time at which the storage was last used.
 * @throws {AppError} `storage.not_found`
 */
export async function testConfig(
  ctx: Needs<'clock' | 'db' | 'log' | 'secrets' | 'storage'>,
  id: string,
  order: TestOrder,
): Promise<ConfigTest> {
  const config = await getConfig(ctx, id)
  await storageConfigsRepository(ctx.db).update(id, { last_used_at_ms: ctx.clock.nowMs() })
  return isLocalDisk(config) ? testDisk(ctx, config) : testS3(ctx, config, order)
}

async function testS3(
  ctx: Needs<'log' | 'secrets'>,
  config: StorageConfigRow,
  order: TestOrder,
): Promise<ConfigTest> {
  try {
    const options = {
      provider: s3ProviderOf(config.provider_type),
      endpointUrl: config.endpoint_url,
      bucket: config.bucket_name,
      region: config.region,
      accessKeyId: openCredential(ctx.secrets, config, 'access_key_id'),
      secretAccessKey: openCredential(ctx.secrets, config, 'secret_access_key'),
      pathStyle: config.path_style === 1,
      customHost: config.custom_host,
    }
    const s3 = await examineBucket(options, { folder: config.default_folder, ...order })
    return { config, findings: s3.findings, s3, disk: null }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    ctx.log.warn({ err: error, config: config.id }, 'a storage could not be tested')
    const code = error.code === 'storage.denied' ? 'credentials_unreadable' : 'endpoint_invalid'
    return { config, findings: [own(code)], s3: null, disk: null }
  }
}

const DISK_CODES: Partial<Record<StorageErrorCode, OwnCode>> = {
  'storage.denied': 'disk_denied',
  'storage.full': 'disk_full',
  'storage.unavailable': 'disk_missing',
}
/** The test warns if less free space than this is left. */
const LOW_BYTES = 1024 ** 3
const SEEN_MAX = 10
const TEST_CONTENT = 'This file tests the storage and may be deleted.\n'

async function testDisk(ctx: Needs<'log' | 'storage'>, config: StorageConfigRow): Promise<ConfigTest> {
  const prefix = config.default_folder === '' ? '' : `${config.default_folder}/`
  const testKey = `${prefix}dropleaf-test-${randomUUID()}.txt`
  const before = { objects: null, uploadMs: 0, testKey, isWritten: false, freeBytes: null }
  let disk: DiskExamination = before
  try {
    const driver = await driverOf(ctx, config)
    const { objects } = await driver.list({ prefix, limit: SEEN_MAX })
    disk = { ...disk, objects }
    const { freeBytes } = await driver.probe()
    disk = { ...disk, freeBytes }
    disk = { ...disk, ...(await writeAndRead(driver, testKey)) }
    const isLow = freeBytes !== null && freeBytes < LOW_BYTES
    const findings = isLow ? [own('disk_low', { free: formatBytes(freeBytes) })] : []
    return { config, findings, s3: null, disk }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    ctx.log.warn({ err: error, config: config.id }, 'a local disk failed its test')
    const code = DISK_CODES[error.code] ?? 'disk_failing'
    return { config, findings: [own(code, { reason: error.code })], s3: null, disk }
  }
}

async function writeAndRead(driver: StorageDriver, testKey: string) {
  const key = parseStorageKey(testKey)
  const startedMs = performance.now()
  try {
    await driver.write(key, Readable.from([Buffer.from(TEST_CONTENT)]))
    const uploadMs = Math.round(performance.now() - startedMs)
    const isWritten = (await text((await driver.read(key)).body)) === TEST_CONTENT
    if (!isWritten) throw new StorageError('storage.incomplete', 'The disk gives back other bytes.')
    return { uploadMs, isWritten }
  } finally {
    await removeAll(driver, [key])
  }
}
