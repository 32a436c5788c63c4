import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endServer, type ServerProcess, startServer } from '../server-process.ts'
import { auditServer, auditStores, type Leftovers } from './audit.ts'
import { createClient, targetOf } from './client.ts'
import { ageTemporaryFiles, cleanUp, DAY_MS, endLeases, withStores } from './closing.ts'
import { createLedger } from './ledger.ts'
import { type Bucket, createWorker, PASSWORD, prepare, work } from './load.ts'
import { createRandom } from './random.ts'

/**
 * Starts the real server, and runs all kinds of operations from several clients at once. Kills the server with SIGKILL
 * at random moments, and restarts it. Compares the acknowledged changes with the stored data.
 */

export interface TortureOptions {
  readonly kills: number
  readonly seed: number
  /** An empty database of PostgreSQL; `null` means SQLite. */
  readonly databaseUrl: string | null
  /** An empty bucket; `null` means the local disk. */
  readonly bucket: Bucket | null
  readonly clients: number
  /** Minimum and maximum time that the server runs under load before a kill. */
  readonly livesMs: readonly [number, number]
  readonly auditEvery: number
  /** Awaited before each run of the load. */
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
  /** Total number of entries in which the index differed from the storage before a crawl, over all audits. */
  readonly indexBehind: number
  readonly beforeSweep: Leftovers
  /** Leftovers that the sweep missed and the reconciliation found. Each one is a fault. */
  readonly foundByReconciliation: Record<string, number>
  readonly afterReconciliation: Leftovers
}

const IDLE_STEP_MS = 100
const IDLE_MAX_MS = 20_000

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
    const { storage, ...login } = await prepare(targetOf(server), ledger, bucket)
    const workers = Array.from({ length: options.clients }, (_, at) =>
      createWorker(at, { ledger, storage, seed }),
    )
    let indexBehind = 0
    let left: Leftovers | undefined
    for (let killed = 0; killed < kills;) {
      await mayGoOn()
      server = server.process.killed ? await startServer(env) : server
      const client = createClient(targetOf(server), { ...login, ledger })
      const working = workers.map((worker) => work({ ...worker, client }, (lost) => lost !== null))
      const before = ledger.acknowledged
      await sleep(random.between(...options.livesMs))
      // Waits for the first successful operation, because on a busy machine no operation might have succeeded in this
      // time.
      for (
        let waitedMs = 0;
        ledger.acknowledged <= before && waitedMs < IDLE_MAX_MS;
        waitedMs += IDLE_STEP_MS
      )
        await sleep(IDLE_STEP_MS)
      await endServer(server, 'SIGKILL')
      killed += 1
      await Promise.all(working)
      if (killed % options.auditEvery !== 0 && killed < kills) continue
      await withStores(env, 0, endLeases)
      server = await startServer(env)
      await auditServer(createClient(targetOf(server), { ...login, ledger }), ledger)
      await endServer(server, 'SIGTERM')
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
    if (server && server.process.exitCode === null && !server.process.killed)
      await endServer(server, 'SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  }
}
