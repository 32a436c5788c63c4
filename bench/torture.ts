import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { randomUUID } from 'node:crypto'
import { S3 } from '@aws-sdk/client-s3'
import type { TestProject } from 'vitest/node'
import { createPostgresSchema } from '../apps/server/src/testing/databases.ts'
import startPostgres from '../apps/server/src/testing/postgres.setup.ts'
import type { Bucket } from '../apps/server/src/testing/torture/load.ts'
import { tortureReplicas } from '../apps/server/src/testing/torture/replicas.ts'
import { torture } from '../apps/server/src/testing/torture/torture.ts'
import { startCephGateway } from '../packages/storage/src/testing/ceph-gateway.ts'
import { refuse } from './lib/undo.ts'

/**
 * Kills the real server repeatedly under a load of all operations, and checks the remaining data (see
 * `docs/reliability.md`). Example: `node bench/torture.ts --kills 200 --database postgresql --storage s3 --seed 7`.
 * `--pause FILE` starts no round while that file exists. `--replicas 2` runs that many servers on PostgreSQL and the
 * gateway behind a load balancer, and kills one of them every `--every` seconds. Between two kills, all database
 * connections are closed. Exits with 1 if data was lost or left over, or if a running server refused a request.
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
    replicas: { type: 'string', default: '1' },
    every: { type: 'string', default: '20' },
  },
})

/** Parses an argument that must be an integer. */
function numberOf(
  name: 'kills' | 'seed' | 'clients' | 'audit-every' | 'replicas' | 'every',
  least = 1,
): number {
  const value = Number(values[name])
  if (/^\d+$/.test(values[name]) && value >= least) return value
  return refuse(
    `--${name} is ${JSON.stringify(values[name])}, but it must be a whole number, ${least} or more.`,
  )
}

function oneOf(name: 'database' | 'storage', choices: readonly string[]): string {
  if (choices.includes(values[name])) return values[name]
  return refuse(`--${name} is ${JSON.stringify(values[name])}, but it must be ${choices.join(' or ')}.`)
}

const told = {
  kills: numberOf('kills'),
  seed: numberOf('seed', 0),
  clients: numberOf('clients'),
  auditEvery: numberOf('audit-every'),
  replicas: numberOf('replicas'),
  everyMs: numberOf('every') * 1000,
  engine: oneOf('database', ['sqlite', 'postgresql']),
  storage: oneOf('storage', ['disk', 's3']),
}
const PAUSE_MS = 2000
const LIVES_MS = [2000, 5000] as const
/** How long a killed replica stays down. */
const AWAY_MS = 4000

async function openDatabase(): Promise<{ url: string | null; close: () => Promise<void> }> {
  if (told.engine === 'sqlite') return { url: null, close: async () => undefined }
  let url = ''
  const project = { provide: (_name: string, given: string) => void (url = given) }
  const stop = await startPostgres(project as unknown as TestProject)
  const schema = await createPostgresSchema(url)
  return { url: schema.url, close: async () => await stop?.() }
}

async function openBucket(): Promise<{ bucket: Bucket | null; close: () => Promise<void> }> {
  if (told.storage === 'disk') return { bucket: null, close: async () => undefined }
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
const oneServer = () =>
  torture({
    kills: told.kills,
    seed: told.seed,
    databaseUrl: database.url,
    bucket,
    clients: told.clients,
    livesMs: LIVES_MS,
    auditEvery: told.auditEvery,
    mayGoOn,
    say: console.log,
  })

function severalReplicas() {
  if (database.url === null || bucket === null)
    throw new Error('Replicas share PostgreSQL and a bucket: --database postgresql --storage s3')
  return tortureReplicas({
    replicas: told.replicas,
    kills: told.kills,
    everyMs: told.everyMs,
    awayMs: AWAY_MS,
    seed: told.seed,
    databaseUrl: database.url,
    bucket,
    clients: told.clients,
    say: console.log,
  })
}

try {
  const figures = await (told.replicas > 1 ? severalReplicas() : oneServer())
  const { engine, storage, seed } = told
  const seconds = Math.round((Date.now() - startedAtMs) / 1000)
  console.log(JSON.stringify({ engine, storage, seed, seconds, ...figures }, null, 2))
  const isWell = figures.faults.length === 0 && Object.keys(figures.refusals).length === 0
  process.exitCode = isWell ? 0 : 1
} finally {
  await database.close()
  await closeBucket()
}
