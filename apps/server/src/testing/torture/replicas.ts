import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@dropleaf/storage/testing/free-port'
import { Client } from 'pg'
import { type Balancer, startBalancer } from '../balancer.ts'
import { endServer, type ServerProcess, startServer } from '../server-process.ts'
import { auditServer, auditStores, type Leftovers } from './audit.ts'
import { createClient, type Target } from './client.ts'
import { cleanUp, DAY_MS, endLeases, withStores } from './closing.ts'
import { createLedger } from './ledger.ts'
import { type Bucket, createWorker, PASSWORD, prepare, work } from './load.ts'

/**
 * Runs several replicas on one database and one bucket, behind a balancer, under mixed load. Each replica in turn is
 * killed with SIGKILL and restarted while the others continue. Before each kill, all database connections are
 * terminated, as by a database restart. A client whose response is lost records the uncertainty and continues with
 * another operation.
 */

export interface ReplicasOptions {
  readonly replicas: number
  readonly kills: number
  readonly everyMs: number
  /** How long a killed replica stays down. */
  readonly awayMs: number
  readonly seed: number
  /** An empty database of PostgreSQL. */
  readonly databaseUrl: string
  /** An empty bucket. */
  readonly bucket: Bucket
  readonly clients: number
  readonly say?: (line: string) => void
}

export interface ReplicasFigures {
  readonly kills: number
  readonly acknowledged: number
  readonly byOperation: Record<string, number>
  /** Number of requests whose outcome is unknown because the response was lost. */
  readonly lost: number
  readonly refusals: Record<string, number>
  readonly bytesLost: number
  readonly faults: readonly string[]
  readonly indexBehind: number
  readonly beforeSweep: Leftovers
  readonly foundByReconciliation: Record<string, number>
}

interface Replica {
  readonly env: Record<string, string>
  server: ServerProcess
}

async function startReplicas(
  count: number,
  shared: Record<string, string>,
  folder: string,
): Promise<Replica[]> {
  const replicas: Replica[] = []
  for (let index = 0; index < count; index += 1) {
    const env = { ...shared, DATA_DIR: join(folder, `replica-${index}`), PORT: String(await freePort()) }
    replicas.push({ env, server: await startServer(env) })
  }
  return replicas
}

async function endConnections(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await client.end()
}

const RECONNECT_MS = 50
/** Number of successful requests after which a server has noticed that its connections were closed. */
const ANSWERS = 3

/** Waits until a server answers from the database again. */
async function untilReconnected({ api }: ServerProcess): Promise<void> {
  for (let answers = 0; answers < ANSWERS;) {
    const { status } = await fetch(`${api}/paste/not-there`)
    if (status !== 503) answers += 1
    else await sleep(RECONNECT_MS)
  }
}

/** How long after the restart of a replica the balancer is still allowed to respond with 502. */
const TAKEN_FOR_DEAD_MS = 4000

interface Kills {
  lastAtMs: number
  /** The balancer is allowed to have no server for a request that began before this time. */
  excuseUntilMs: number
  /** A server is allowed to have no connection to the database for a request that began before this time. */
  awayUntilMs: number
}

/**
 * Returns the balancer as a target. The balancer's own error responses have no request id, and are correct only around
 * a kill.
 */
function balanced(balancer: Balancer, kills: Readonly<Kills>): Target {
  return {
    api: `${balancer.url}/api`,
    wasKilledSince: (beganAtMs) => kills.lastAtMs >= beganAtMs,
    isLost: ({ status, headers }, beganAtMs) =>
      (status === 502 && !headers.has('x-request-id') && beganAtMs <= kills.excuseUntilMs) ||
      (status === 503 && beganAtMs <= kills.awayUntilMs),
  }
}

/** Kills and restarts one replica after another. Before each kill, terminates all connections to the database. */
async function killInTurn(
  { kills, everyMs, awayMs, databaseUrl }: ReplicasOptions,
  { replicas, killed, say }: { replicas: readonly Replica[]; killed: Kills; say: (count: number) => void },
): Promise<void> {
  for (let count = 0; count < kills; count += 1) {
    const untilKillMs = everyMs - awayMs
    await sleep(untilKillMs / 2)
    killed.awayUntilMs = Infinity
    await endConnections(databaseUrl)
    for (const { server } of replicas) await untilReconnected(server)
    killed.awayUntilMs = performance.now()
    await sleep(untilKillMs / 2)
    const replica = replicas[count % replicas.length]
    if (!replica) throw new Error('There are no replicas.')
    Object.assign(killed, { lastAtMs: performance.now(), excuseUntilMs: Infinity })
    await endServer(replica.server, 'SIGKILL')
    killed.lastAtMs = performance.now()
    await sleep(awayMs)
    replica.server = await startServer(replica.env)
    killed.excuseUntilMs = performance.now() + TAKEN_FOR_DEAD_MS
    say(count + 1)
  }
}

export async function tortureReplicas(options: ReplicasOptions): Promise<ReplicasFigures> {
  const { kills, seed, databaseUrl, bucket, say = () => undefined } = options
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-replicas-'))
  const shared = {
    DATABASE_URL: databaseUrl,
    ADMIN_PASSWORD: PASSWORD,
    ENCRYPTION_SECRET: randomBytes(32).toString('base64url'),
    SWEEP_MINUTES: '1',
    TRUST_PROXY: '1',
  }
  const env = { ...shared, DATA_DIR: join(folder, 'auditor') }
  const ledger = createLedger()
  const replicas = await startReplicas(options.replicas, shared, folder)
  try {
    await using balancer = await startBalancer(replicas.map((replica) => Number(replica.env['PORT'])))
    const killed: Kills = { lastAtMs: -Infinity, excuseUntilMs: -Infinity, awayUntilMs: -Infinity }
    const target = balanced(balancer, killed)
    const { storage, ...login } = await prepare(target, ledger, bucket)
    const client = createClient(target, { ...login, ledger })
    let lost = 0
    let isOver = false
    const working = Array.from({ length: options.clients }, (_, at) =>
      work({ ...createWorker(at, { ledger, storage, seed }), client }, (error) => {
        if (error !== null) lost += 1
        return isOver
      }),
    )
    await killInTurn(options, {
      replicas,
      killed,
      say: (count) =>
        say(
          `${count} kills, ${ledger.acknowledged} acknowledged, ${lost} lost, ${ledger.faults.length} faults`,
        ),
    })
    await sleep(options.everyMs)
    isOver = true
    await Promise.all(working)
    // From here on, no server is killed. The audit first waits for running tasks. A task of a killed server continues
    // only after its lease has expired, as in production.
    await auditServer(client, ledger)
    for (const { server } of replicas) await endServer(server, 'SIGTERM')
    const { indexBehind, ...beforeSweep } = await withStores(env, 0, (ctx) =>
      auditStores(ctx, { ledger, storage, areTextsSwept: false }),
    )
    await withStores(env, 0, endLeases)
    const foundByReconciliation = await withStores(env, DAY_MS, (ctx) => cleanUp(ctx, ledger))
    const { indexBehind: _, ...clean } = await withStores(env, 0, (ctx) =>
      auditStores(ctx, { ledger, storage, areTextsSwept: true }),
    )
    for (const [kind, count] of Object.entries(clean))
      if (count > 0) ledger.faults.push(`left after sweep and reconciliation: ${count} ${kind}`)
    return {
      kills,
      acknowledged: ledger.acknowledged,
      byOperation: Object.fromEntries(ledger.byOperation),
      lost,
      refusals: Object.fromEntries(ledger.refusals),
      bytesLost: ledger.bytesLost,
      faults: ledger.faults,
      indexBehind,
      beforeSweep,
      foundByReconciliation,
    }
  } finally {
    for (const { server } of replicas)
      if (server.process.exitCode === null && server.process.signalCode === null)
        await endServer(server, 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}
