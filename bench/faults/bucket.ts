import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { S3 } from '@aws-sdk/client-s3'
import { type Intercept, refuse, startFaultProxy } from '../../apps/server/src/testing/fault-proxy.ts'
import { startGateway } from '../lib/gateway.ts'
import { ownFolder } from '../lib/undo.ts'
import {
  counted,
  isOk,
  MIB,
  openProduct,
  type Product,
  recovery,
  type Report,
  share,
  slowest,
} from './product.ts'

type Break = (response: ServerResponse) => boolean

const BREAKS: ReadonlyArray<{ name: string; breakIt: Break; writes: number }> = [
  {
    name: 'one call in three refused (503)',
    breakIt: (response) => Math.random() < 1 / 3 && refuse(response, { status: 503, code: 'SlowDown' }),
    writes: 8,
  },
  {
    name: 'one call in three cut off',
    breakIt: (response) => Math.random() < 1 / 3 && Boolean(response.destroy()),
    writes: 8,
  },
  {
    name: 'every call refused (503)',
    breakIt: (response) => refuse(response, { status: 503, code: 'ServiceUnavailable' }),
    writes: 3,
  },
  { name: 'every call cut off', breakIt: (response) => Boolean(response.destroy()), writes: 3 },
  { name: 'no answers', breakIt: () => true, writes: 2 },
]

const BYTES = randomBytes(3 * MIB)

type Gateway = Awaited<ReturnType<typeof startGateway>>['gateway']

/** A connection to the bucket that fails on demand. */
class Connection {
  #fault: Break | null = null
  broken = 0

  readonly intercept: Intercept = (_request, response) => {
    const isBroken = this.#fault?.(response) ?? false
    if (isBroken) this.broken += 1
    return isBroken
  }

  break(fault: Break): void {
    this.#fault = fault
    this.broken = 0
  }

  repair(): void {
    this.#fault = null
  }
}

async function mountBucket(product: Product, gateway: Gateway, proxyUrl: string): Promise<void> {
  const { endpointUrl: endpoint, accessKeyId, secretAccessKey } = gateway
  const direct = new S3({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  })
  await direct.createBucket({ Bucket: 'faults' })
  const config = await product.ask('POST', '/api/s3-configs', {
    body: {
      name: 'Behind a broken line',
      provider_type: 'Other',
      endpoint_url: proxyUrl,
      bucket_name: 'faults',
      access_key_id: accessKeyId,
      secret_access_key: secretAccessKey,
      path_style: true,
    },
  })
  const id = /"id":"([^"]+)"/.exec(config.body.toString())?.[1] ?? ''
  await product.ask('POST', '/api/admin/mounts', {
    body: { name: 'broken', storage_type: 'S3', storage_config_id: id, mount_path: '/s3', cache_ttl: 0 },
  })
}

const put = (product: Product, name: string) =>
  product.ask('PUT', `/api/fs/upload?path=/s3/${name}.bin`, { body: BYTES, timeoutMs: 180_000 })

/** Writes and reads while the connection fails in one way, then checks all acknowledged writes. */
async function workThrough(
  product: Product,
  connection: Connection,
  { name, breakIt, writes, number }: (typeof BREAKS)[number] & { number: number },
): Promise<Report> {
  connection.break(breakIt)
  const replies = await Promise.all(
    Array.from({ length: writes }, (_, at) => put(product, `${number}-${at}`)),
  )
  const reading = await product.ask('GET', '/api/fs/download?path=/s3/kept.bin', { timeoutMs: 180_000 })
  const texts = await share(product)
  connection.repair()
  const back = await recovery(() => product.ask('GET', '/api/fs/download?path=/s3/kept.bin'))
  const acknowledged = replies.flatMap((reply, at) => (isOk(reply) ? [`${number}-${at}`] : []))
  const read = await Promise.all(
    acknowledged.map((key) => product.ask('GET', `/api/fs/download?path=/s3/${key}.bin`)),
  )
  const whole = read.filter(({ body }) => body.equals(BYTES)).length
  const isTold = [...replies, reading].every(
    (reply) => isOk(reply) || (reply.status >= 500 && reply.code !== ''),
  )
  return {
    told: `${name} (${connection.broken} broken): writes ${counted(replies)}, slowest ${slowest(replies)}; a read ${reading.status} ${reading.code}; a text ${texts.status}; ${whole} of ${acknowledged.length} acknowledged whole; reads again after ${back}`,
    isGood: whole === acknowledged.length && isOk(texts) && isTold,
  }
}

/** Makes the connection to a bucket fail in several ways, one after another. */
export async function brokenBucket(): Promise<Report> {
  const { gateway, stop } = await startGateway()
  using folder = ownFolder()
  const connection = new Connection()
  await using proxy = await startFaultProxy(gateway.endpointUrl, connection.intercept)
  const product = await openProduct(folder.path)
  try {
    await mountBucket(product, gateway, proxy.url)
    const kept = await put(product, 'kept')
    const before = await product.memoryKb()
    const reports: Report[] = []
    for (const [number, one] of BREAKS.entries())
      reports.push(await workThrough(product, connection, { ...one, number }))
    const grownKb = (await product.memoryKb()) - before
    return {
      told: `${reports.map(({ told }) => told).join('\n    ')}\n    ${grownKb} kB more memory`,
      isGood: isOk(kept) && reports.every(({ isGood }) => isGood),
    }
  } finally {
    await product.stop()
    await stop()
  }
}
