import { randomUUID } from 'node:crypto'
import { S3 } from '@aws-sdk/client-s3'
import { crawl } from '../apps/server/src/features/foundation/object-index/crawl.usecases.ts'
import { indexedUsage } from '../apps/server/src/features/foundation/object-index/object-index.usecases.ts'
import { credentialContext } from '../apps/server/src/storage/drivers.ts'
import { startGateway } from './lib/gateway.ts'
import { startOwnServer } from './lib/own-server.ts'
import { quantile } from './lib/measure.ts'
import { emptyBucket } from './lib/product.ts'
import { webAddress, wholeNumber, wholeNumbers } from './lib/settings.ts'
import { undoing } from './lib/undo.ts'

/**
 * Benchmarks folder listings on an S3 storage against direct listings by the SDK, and the crawl of a whole storage.
 * Starts a Ceph gateway unless `S3_ENDPOINT`, `S3_ACCESS_KEY` and `S3_SECRET_KEY` select a server. Uses SQLite, or the
 * empty PostgreSQL database of `DATABASE_URL`.
 */

const SIZES = wholeNumbers('SIZES', [10_000, 50_000])
const CRAWL = wholeNumber('CRAWL', 100_000, { least: 0 })
const ROUNDS = wholeNumber('ROUNDS', 5)
const WRITES_AT_ONCE = 32

const { S3_ACCESS_KEY = '', S3_SECRET_KEY = '' } = process.env
const S3_ENDPOINT = webAddress('S3_ENDPOINT')
const started = S3_ENDPOINT === undefined ? await startGateway() : null
const gateway = started?.gateway ?? {
  endpointUrl: S3_ENDPOINT ?? '',
  accessKeyId: S3_ACCESS_KEY,
  secretAccessKey: S3_SECRET_KEY,
}
const bucket = `bench-${randomUUID()}`
const s3 = new S3({
  endpoint: gateway.endpointUrl,
  region: 'us-east-1',
  forcePathStyle: true,
  credentials: gateway,
})

let isEnding = false

async function fill(keys: readonly string[]): Promise<void> {
  const queue = keys.values()
  const worker = async () => {
    for (const Key of queue) {
      if (isEnding) return
      await s3.putObject({ Bucket: bucket, Key, Body: 'x' })
    }
  }
  await Promise.all(Array.from({ length: WRITES_AT_ONCE }, worker))
}

/** Removes the bucket from a server that keeps running. */
async function removeBucket(): Promise<void> {
  isEnding = true
  await emptyBucket(s3, bucket)
  await s3.deleteBucket({ Bucket: bucket })
}

/** Lists a folder directly from S3, page by page. */
async function walk(Prefix: string): Promise<number> {
  let count = 0
  let ContinuationToken: string | undefined
  do {
    const page = await s3.listObjectsV2({ Bucket: bucket, Prefix, Delimiter: '/', ContinuationToken })
    count += page.Contents?.length ?? 0
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken !== undefined)
  return count
}

async function median(work: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) times.push(await work())
  return quantile(
    times.sort((a, b) => a - b),
    0.5,
  )
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const close = started ? started.stop : undoing(removeBucket)
try {
  await s3.createBucket({ Bucket: bucket })
  await using server = await startOwnServer()
  const { ctx } = server
  const configId = randomUUID()
  const config = await ctx.db.selectFrom('storage_configs').selectAll().executeTakeFirstOrThrow()
  const seal = (field: 'access_key_id' | 'secret_access_key', text: string) =>
    ctx.secrets.seal(text, credentialContext(configId, field))
  await ctx.db
    .insertInto('storage_configs')
    .values({
      ...config,
      id: configId,
      name: 'Bench',
      provider_type: 'Other',
      endpoint_url: gateway.endpointUrl,
      bucket_name: bucket,
      access_key_id_sealed: seal('access_key_id', gateway.accessKeyId),
      secret_access_key_sealed: seal('secret_access_key', gateway.secretAccessKey),
      is_default: 0,
    })
    .execute()
  const mount = await ctx.db.selectFrom('mounts').selectAll().executeTakeFirstOrThrow()
  await ctx.db
    .insertInto('mounts')
    .values({ ...mount, id: randomUUID(), name: 'bench', mount_path: '/bench', storage_config_id: configId })
    .execute()

  /** Finishes the background work of a listing before the next measurement. */
  const settle = () => ctx.jobs.settle()
  console.log(`${ctx.database.engine}, medians of ${ROUNDS}, ms`)
  console.log(
    '| objects | direct walk | first page, asked | whole, asked | whole / direct | first page, index | by size, index | whole, index | whole, memory | kB |\n| --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |',
  )
  for (const size of SIZES) {
    const folder = `n${size}`
    await fill(
      Array.from({ length: size }, (_, index) => `${folder}/file-${String(index).padStart(6, '0')}.jpg`),
    )
    const path = `/api/fs/list?path=/bench/${folder}`
    const get = async (query: string) => {
      const { ms } = await server.get(path + query)
      await settle()
      return ms
    }
    // Alternates between both sides, so that other load on the machine affects both equally.
    const direct: number[] = []
    const whole: number[] = []
    const first: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      direct.push(await timed(() => walk(`${folder}/`)))
      first.push(await get('&limit=200&refresh=1'))
      whole.push(await get('&refresh=1'))
    }
    const middle = (times: number[]) =>
      quantile(
        times.sort((a, b) => a - b),
        0.5,
      )
    const firstIndexed = await median(() => get('&limit=200'))
    const bySize = await median(() => get('&limit=200&sort=size&order=desc'))
    const indexed = await median(async () => {
      ctx.caches.directory.clear()
      return get('')
    })
    const cached = await median(() => get(''))
    const { bytes } = await server.get(path)
    const figures = [
      middle(direct),
      middle(first),
      middle(whole),
      middle(whole) / middle(direct),
      firstIndexed,
      bySize,
      indexed,
      cached,
      bytes / 1000,
    ]
    console.log(`| ${size} | ${figures.map((figure) => figure.toFixed(figure < 10 ? 2 : 0)).join(' | ')} |`)
  }
  const inAll = SIZES.reduce((sum, size) => sum + size, 0)
  const rest = Math.max(0, CRAWL - inAll)
  const all = inAll + rest
  await fill(Array.from({ length: rest }, (_, index) => `c/${index % 100}/photo ${index}.jpg`))
  const crawlNew = () => crawl(ctx, { configId, signal: new AbortController().signal, isFromStart: true })
  for (const table of ['objects', 'object_names', 'object_folders', 'object_indexes'] as const)
    await ctx.db.deleteFrom(table).execute()
  const requireWhole = async () => {
    const index = await ctx.db
      .selectFrom('object_indexes')
      .selectAll()
      .where('config_id', '=', configId)
      .executeTakeFirst()
    const { objects } = await indexedUsage(ctx, configId)
    if (index?.state !== 'done' || objects !== all)
      throw new Error(`The crawl is ${index?.state} (${index?.error}) with ${objects} of ${all} objects.`)
  }
  const fresh = await timed(crawlNew)
  await requireWhole()
  const again = await timed(crawlNew)
  await requireWhole()
  const rate = (ms: number) => Math.round((all / ms) * 1000)
  console.log(
    `crawl of ${all} objects: ${rate(fresh)} a second new, ${rate(again)} a second when nothing changed`,
  )
} finally {
  await close()
  s3.destroy()
}
process.exit(0)
