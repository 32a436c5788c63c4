import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { randomUUID } from 'node:crypto'
import { S3 } from '@aws-sdk/client-s3'
import type { TestProject } from 'vitest/node'
import { createPostgresSchema } from '../apps/server/src/testing/databases.ts'
import startPostgres from '../apps/server/src/testing/postgres.setup.ts'
import { type Bucket, torture } from '../apps/server/src/testing/torture/torture.ts'
import { startCephGateway } from '../packages/storage/src/testing/ceph-gateway.ts'

/**
 * Kills the real server again and again under a load of every operation, and audits what is left: see `docs/reliability.md`.
 * `node bench/torture.ts --kills 200 --database postgresql --storage s3 --seed 7`. With `--pause FILE` no round begins while
 * that file is there.
 */

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    database: { type: 'string', default: 'sqlite' },
    storage: { type: 'string', default: 'disk' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    clients: { type: 'string', default: '6' },
    'audit-every': { type: 'string', default: '10' },
    pause: { type: 'string' },
  },
})
const PAUSE_MS = 2000
const LIVES_MS = [2000, 5000] as const

async function openDatabase(): Promise<{ url: string | null; close: () => Promise<void> }> {
  if (values.database === 'sqlite') return { url: null, close: async () => undefined }
  let url = ''
  const project = { provide: (_name: string, given: string) => void (url = given) }
  const stop = await startPostgres(project as unknown as TestProject)
  const schema = await createPostgresSchema(url)
  return { url: schema.url, close: async () => await stop?.() }
}

async function openBucket(): Promise<{ bucket: Bucket | null; close: () => Promise<void> }> {
  if (values.storage === 'disk') return { bucket: null, close: async () => undefined }
  const { gateway, stop } = await startCephGateway()
  const { endpointUrl, accessKeyId, secretAccessKey } = gateway
  const credentials = { accessKeyId, secretAccessKey }
  const s3 = new S3({ endpoint: endpointUrl, region: 'us-east-1', forcePathStyle: true, credentials })
  const bucket = `torture-${randomUUID()}`
  await s3.createBucket({ Bucket: bucket })
  s3.destroy()
  return { bucket: { endpointUrl, accessKeyId, secretAccessKey, bucket }, close: stop }
}

async function mayGoOn(): Promise<void> {
  while (values.pause !== undefined && existsSync(values.pause)) await sleep(PAUSE_MS)
}

const startedAtMs = Date.now()
const database = await openDatabase()
const { bucket, close: closeBucket } = await openBucket()
try {
  const figures = await torture({
    kills: Number(values.kills),
    seed: Number(values.seed),
    databaseUrl: database.url,
    bucket,
    clients: Number(values.clients),
    livesMs: LIVES_MS,
    auditEvery: Number(values['audit-every']),
    mayGoOn,
    say: console.log,
  })
  const { database: engine, storage, seed } = values
  const seconds = Math.round((Date.now() - startedAtMs) / 1000)
  console.log(JSON.stringify({ engine, storage, seed, seconds, ...figures }, null, 2))
  process.exitCode = figures.faults.length > 0 ? 1 : 0
} finally {
  await database.close()
  await closeBucket()
}
