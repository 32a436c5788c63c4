import { BUNDLE_OPERATIONS, forgetUncertainBundles } from './bundles.ts'
import { createClient, KilledError, RefusedError, type Target } from './client.ts'
import { FILE_OPERATIONS, forgetCurrent } from './files.ts'
import { add, type Ledger } from './ledger.ts'
import { createRandom, type Random } from './random.ts'
import { SHARE_OPERATIONS } from './shares.ts'
import type { TortureStorage, Worker } from './worker.ts'

/** Prepares the test data, and runs all kinds of operations while servers are killed. */

export interface Bucket {
  readonly endpointUrl: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export const PASSWORD = 'correct horse battery'
const OPERATIONS = [...SHARE_OPERATIONS, ...FILE_OPERATIONS, ...BUNDLE_OPERATIONS]
const WEIGHT = OPERATIONS.reduce((sum, [, weight]) => sum + weight, 0)

export interface Access {
  readonly token: string
  readonly key: string
  readonly storage: TortureStorage
}

/**
 * Logs in and creates an API key. Adds and mounts the bucket as a storage; without a bucket, the existing local disk is
 * used.
 */
export async function prepare(server: Target, ledger: Ledger, bucket: Bucket | null): Promise<Access> {
  const visitor = createClient(server, { token: '', key: '', ledger })
  const login = await visitor.call('POST', '/admin/login', {
    json: { username: 'admin', password: PASSWORD },
  })
  const { token } = login.data
  const admin = createClient(server, { token, key: '', ledger })
  const rights = { text_permission: true, file_permission: true, mount_permission: true, basic_path: '/' }
  const made = await admin.call('POST', '/admin/api-keys', {
    json: { name: 'torture', expires_at: 'never', ...rights },
  })
  const { key } = made.data
  if (bucket === null) {
    const [config] = (await admin.call('GET', '/s3-configs')).data
    return { token, key, storage: { kind: 'disk', configId: config.id, mountPath: '/local' } }
  }
  const config = await admin.call('POST', '/s3-configs', {
    json: {
      name: 'Gateway',
      provider_type: 'Other',
      endpoint_url: bucket.endpointUrl,
      bucket_name: bucket.bucket,
      access_key_id: bucket.accessKeyId,
      secret_access_key: bucket.secretAccessKey,
      path_style: true,
      is_public: true,
    },
  })
  const configId: string = config.data.id
  await admin.call('POST', '/admin/mounts', {
    json: { name: 'gateway', storage_type: 'S3', storage_config_id: configId, mount_path: '/s3' },
  })
  return { token, key, storage: { kind: 's3', configId, mountPath: '/s3' } }
}

export function createWorker(
  index: number,
  { ledger, storage, seed }: { ledger: Ledger; storage: TortureStorage; seed: number },
): Omit<Worker, 'client'> {
  const random = createRandom(seed * 1000 + index)
  let names = 0
  return {
    ledger,
    random,
    storage,
    own: { texts: new Set(), shares: new Map(), bundles: [], folders: [], current: null },
    newName: (start) => `${start}${index}-${(names += 1)}`,
    newSize: () => (random.next() < 0.1 ? random.between(300_000, 1_500_000) : random.between(0, 60_000)),
  }
}

function nextOperation(random: Random) {
  let at = random.next() * WEIGHT
  for (const operation of OPERATIONS) {
    at -= operation[1]
    if (at < 0) return operation
  }
  return OPERATIONS[0]
}

/**
 * Runs one operation after another, until `isOver` returns true after an operation.
 * @param isOver receives the error if a response was lost, otherwise `null`
 */
export async function work(w: Worker, isOver: (lost: KilledError | null) => boolean): Promise<void> {
  for (;;) {
    const operation = nextOperation(w.random)
    if (operation === undefined) return
    w.own.current = null
    let lost: KilledError | null = null
    try {
      await operation[2](w)
      w.ledger.acknowledged += 1
      add(w.ledger.byOperation, operation[0])
    } catch (error) {
      forgetCurrent(w)
      forgetUncertainBundles(w)
      if (error instanceof KilledError) lost = error
      else if (!(error instanceof RefusedError)) throw error
    }
    if (isOver(lost)) return
  }
}
