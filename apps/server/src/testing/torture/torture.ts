import { once } from 'node:events'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { RECONCILIATION_KINDS, type ReconciliationReport } from '@dropleaf/contract'
import { pino } from 'pino'
import { buildApp } from '../../app.ts'
import { loadConfig } from '../../config/config.ts'
import { type AppContext, createContext } from '../../context.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { auditServer, auditStores, type Leftovers } from './audit.ts'
import { createClient, KilledError, RefusedError } from './client.ts'
import { FILE_OPERATIONS, forgetCurrent } from './files.ts'
import { add, createLedger, type Ledger } from './ledger.ts'
import { createRandom, type Random } from './random.ts'
import { SHARE_OPERATIONS } from './shares.ts'
import type { TortureStorage, Worker } from './worker.ts'

/**
 * Starts the real server, lets several clients do everything at once, kills it with SIGKILL at random moments, starts it
 * again, and compares what it acknowledged with what is there.
 */

export interface Bucket {
  readonly endpointUrl: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface TortureOptions {
  readonly kills: number
  readonly seed: number
  /** An empty database of PostgreSQL; `null` means SQLite. */
  readonly databaseUrl: string | null
  /** An empty bucket; `null` means the local disk. */
  readonly bucket: Bucket | null
  readonly clients: number
  /** How long the server lives under load, at least and at most. */
  readonly livesMs: readonly [number, number]
  /** Kills between two audits. */
  readonly auditEvery: number
  /** Waited for before each start. */
  readonly mayGoOn?: () => Promise<void>
  readonly say?: (line: string) => void
}

export interface TortureFigures {
  readonly kills: number
  readonly acknowledged: number
  readonly byOperation: Record<string, number>
  readonly refusals: Record<string, number>
  readonly bytesLost: number
  readonly faults: readonly string[]
  /** Entries that the index was behind by, before a crawl; of all audits. */
  readonly indexBehind: number
  readonly beforeSweep: Leftovers
  /** What one sweep has left to the reconciliation: a fault, whatever it is. */
  readonly foundByReconciliation: Record<string, number>
  readonly afterReconciliation: Leftovers
}

const PASSWORD = 'correct horse battery'
const DAY_MS = 25 * 3_600_000
const IDLE_STEP_MS = 100
const IDLE_MAX_MS = 20_000
const OPERATIONS = [...SHARE_OPERATIONS, ...FILE_OPERATIONS]
const WEIGHT = OPERATIONS.reduce((sum, [, weight]) => sum + weight, 0)

interface Access {
  readonly token: string
  readonly key: string
  readonly storage: TortureStorage
}

/** The storage and its mount, an API key, and a login that outlives the kills. */
async function prepare(server: ServerProcess, ledger: Ledger, bucket: Bucket | null): Promise<Access> {
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

function createWorker(
  index: number,
  { ledger, storage, seed }: { ledger: Ledger; storage: TortureStorage; seed: number },
): Omit<Worker, 'client'> {
  const random = createRandom(seed * 1000 + index)
  let names = 0
  return {
    ledger,
    random,
    storage,
    own: { texts: new Set(), shares: new Map(), folders: [], current: null },
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

/** One operation after the other until the server is killed. */
async function workUntilKilled(w: Worker): Promise<void> {
  for (;;) {
    const operation = nextOperation(w.random)
    if (operation === undefined) return
    w.own.current = null
    try {
      await operation[2](w)
      w.ledger.acknowledged += 1
      add(w.ledger.byOperation, operation[0])
    } catch (error) {
      forgetCurrent(w)
      if (error instanceof KilledError) return
      if (!(error instanceof RefusedError)) throw error
    }
  }
}

/** No process lives that could hold anything: what would be waited for is over at once. */
async function endLeases(ctx: AppContext): Promise<void> {
  await ctx.db.updateTable('tasks').set({ lease_until_ms: 0 }).where('state', '=', 'running').execute()
  await ctx.db.updateTable('key_holds').set({ expires_at_ms: 0 }).execute()
  await ctx.unfinished.expireAll()
  await ctx.db.updateTable('files').set({ receiving_until_ms: null }).execute()
}

async function withStores<T>(
  env: Record<string, string>,
  laterMs: number,
  use: (ctx: AppContext) => Promise<T>,
): Promise<T> {
  const config = loadConfig({ ...env, WEB_ROOT: join(tmpdir(), 'no-web') })
  const clock = { nowMs: () => Date.now() + laterMs }
  const ctx = await createContext(config, pino({ level: 'silent' }), { clock })
  try {
    return await use(ctx)
  } finally {
    await ctx.close()
  }
}

/** A day goes by for what the local disk keeps for itself: its files have no other clock. */
async function ageTemporaryFiles(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'storage', 'local', '.dropleaf-tmp')
  const yesterday = new Date(Date.now() - DAY_MS)
  for (const name of await readdir(folder, { recursive: true }))
    await utimes(join(folder, name), yesterday, yesterday)
}

/** A day goes by: one sweep, one reconciliation that repairs, and one that finds nothing. */
async function cleanUp(ctx: AppContext, ledger: Ledger): Promise<Record<string, number>> {
  const app = await buildApp(ctx)
  try {
    await ctx.jobs.drain()
    const credentials = { username: 'admin', password: PASSWORD }
    const login = await app.inject({ method: 'POST', url: '/api/admin/login', payload: credentials })
    const headers = { authorization: `Bearer ${login.json().data.token}` }
    const reconcile = async (repair: readonly string[]): Promise<ReconciliationReport['found']> => {
      const url = '/api/admin/reconciliation'
      await app.inject({ method: 'POST', url, headers, payload: { repair, grace_minutes: 0 } })
      await ctx.tasks.drain()
      const { task, report } = (await app.inject({ url, headers })).json().data
      if (task?.state !== 'completed') ledger.faults.push(`reconciliation: ${JSON.stringify(task)}`)
      return report.found
    }
    const found = await reconcile(RECONCILIATION_KINDS)
    for (const kind of RECONCILIATION_KINDS)
      if (found[kind].count > 0) ledger.faults.push(`left after one sweep: ${found[kind].count} ${kind}`)
    const again = await reconcile([])
    for (const kind of RECONCILIATION_KINDS)
      if (again[kind].count > 0) ledger.faults.push(`reconciliation: ${kind} left after a repair`)
    return Object.fromEntries(RECONCILIATION_KINDS.map((kind) => [kind, found[kind].count]))
  } finally {
    await app.close()
  }
}

async function stop(server: ServerProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const gone = once(server.process, 'exit')
  server.process.kill(signal)
  await gone
}

export async function torture(options: TortureOptions): Promise<TortureFigures> {
  const { kills, seed, databaseUrl, bucket, say = () => undefined, mayGoOn = async () => undefined } = options
  const dataDir = await mkdtemp(join(tmpdir(), 'dropleaf-torture-'))
  const env = {
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: PASSWORD,
    SWEEP_MINUTES: '1',
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  }
  const ledger = createLedger()
  const random = createRandom(seed)
  let server: ServerProcess | undefined
  try {
    server = await startServer(env)
    const { storage, ...login } = await prepare(server, ledger, bucket)
    const workers = Array.from({ length: options.clients }, (_, at) =>
      createWorker(at, { ledger, storage, seed }),
    )
    let indexBehind = 0
    let left: Leftovers | undefined
    for (let killed = 0; killed < kills;) {
      await mayGoOn()
      server = server.process.killed ? await startServer(env) : server
      const client = createClient(server, { ...login, ledger })
      const working = workers.map((worker) => workUntilKilled({ ...worker, client }))
      const before = ledger.acknowledged
      await sleep(random.between(...options.livesMs))
      // A machine that is busy with other things comes to nothing in that time.
      for (
        let waitedMs = 0;
        ledger.acknowledged <= before && waitedMs < IDLE_MAX_MS;
        waitedMs += IDLE_STEP_MS
      )
        await sleep(IDLE_STEP_MS)
      await stop(server, 'SIGKILL')
      killed += 1
      await Promise.all(working)
      if (killed % options.auditEvery !== 0 && killed < kills) continue
      await withStores(env, 0, endLeases)
      server = await startServer(env)
      await auditServer(createClient(server, { ...login, ledger }), ledger)
      await stop(server, 'SIGTERM')
      const { indexBehind: behind, ...leftovers } = await withStores(env, 0, (ctx) =>
        auditStores(ctx, { ledger, storage, areTextsSwept: false }),
      )
      indexBehind += behind
      left = leftovers
      say(
        `${killed} kills, ${ledger.acknowledged} acknowledged, ${ledger.texts.size} texts, ${ledger.shares.size} shares, ` +
          `${ledger.files.size} files, ${ledger.faults.length} faults, left ${JSON.stringify(leftovers)}`,
      )
    }
    await ageTemporaryFiles(dataDir)
    const found = await withStores(env, DAY_MS, (ctx) => cleanUp(ctx, ledger))
    const after = await withStores(env, 0, (ctx) =>
      auditStores(ctx, { ledger, storage, areTextsSwept: true }),
    )
    const { indexBehind: _, ...clean } = after
    for (const [kind, count] of Object.entries(clean))
      if (count > 0) ledger.faults.push(`left after sweep and reconciliation: ${count} ${kind}`)
    return {
      kills,
      acknowledged: ledger.acknowledged,
      byOperation: Object.fromEntries(ledger.byOperation),
      refusals: Object.fromEntries(ledger.refusals),
      bytesLost: ledger.bytesLost,
      faults: ledger.faults,
      indexBehind,
      beforeSweep: left ?? clean,
      foundByReconciliation: found,
      afterReconciliation: clean,
    }
  } finally {
    if (server && server.process.exitCode === null && !server.process.killed) await stop(server, 'SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  }
}
