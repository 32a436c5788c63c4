import type { Needs } from '../../../context.ts'
import { shareMetrics } from '../../../workers/shared-metrics.ts'
import { PRODUCT_VERSION } from '../../../lib/version.ts'
import { readDashboard } from '../dashboard/dashboard.usecases.ts'

/** Bounds of request durations in seconds: from a page or listing to a long upload. */
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120]

interface EndedRequest {
  readonly method: string
  /** The declared route. Using routes instead of URLs limits the number of different labels. */
  readonly route: string
  readonly status: string
  readonly seconds: number
}

/** Counters of this process, and values that are read from the database when rendering. */
export interface Metrics {
  readonly contentType: string
  begin(): void
  end(request: EndedRequest): void
  /** @returns the metrics in the Prometheus text format */
  render(): Promise<string>
}

/** Loads the Prometheus library dynamically, so that it is only loaded if metrics are enabled. */
export async function createMetrics(ctx: Needs<'clock' | 'config' | 'database' | 'db'>): Promise<Metrics> {
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  // Counters of this process, separate from values that are the same in all processes.
  const counted = new Registry()
  const known = new Registry()
  const renderCounted = shareMetrics(counted)
  collectDefaultMetrics({ register: counted })
  new Gauge({
    name: 'dropleaf_info',
    help: 'The version and its database; always 1.',
    labelNames: ['version', 'database'],
    registers: [known],
  }).set({ version: PRODUCT_VERSION, database: ctx.database.engine }, 1)
  const seconds = new Histogram({
    name: 'dropleaf_http_request_duration_seconds',
    help: 'Requests by method, declared route and status, from their first byte to the last one of the answer. The status is "cut" where the client hung up.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [counted],
  })
  const open = new Gauge({
    name: 'dropleaf_http_requests_in_flight',
    help: 'Requests that are being answered.',
    registers: [counted],
  })
  const ofDatabase = (name: string, help: string, labelNames: string[]) =>
    new Gauge({ name: `dropleaf_${name}`, help, labelNames, registers: [known] })
  const shares = ofDatabase('shares', 'Shares, by kind: texts and files.', ['kind'])
  const tasks = ofDatabase('tasks', 'Tasks that wait or run, by state.', ['state'])
  const storedBytes = ofDatabase('stored_bytes', 'Bytes in a storage, as far as the index knows it.', [
    'storage',
  ])
  const storedFiles = ofDatabase('stored_files', 'Files in a storage, as far as the index knows it.', [
    'storage',
  ])

  async function readDatabase(): Promise<void> {
    const [dashboard, alive] = await Promise.all([
      readDashboard(ctx, { utcOffsetMinutes: 0 }),
      ctx.db
        .selectFrom('tasks')
        .select((e) => ['state', e.fn.countAll().as('count')])
        .where('state', 'in', ['pending', 'running'])
        .groupBy('state')
        .execute(),
    ])
    shares.set({ kind: 'text' }, dashboard.totalPastes)
    shares.set({ kind: 'file' }, dashboard.totalFiles)
    for (const state of ['pending', 'running'])
      tasks.set({ state }, Number(alive.find((row) => row.state === state)?.count ?? 0))
    // Removes the values of deleted storages.
    for (const gauge of [storedBytes, storedFiles]) gauge.reset()
    for (const { name, usedStorage, fileCount } of dashboard.s3Buckets) {
      storedBytes.set({ storage: name }, usedStorage)
      storedFiles.set({ storage: name }, fileCount)
    }
  }

  return {
    contentType: known.contentType,
    begin: () => open.inc(),
    end({ method, route, status, seconds: taken }) {
      open.dec()
      seconds.observe({ method, route, status }, taken)
    },
    async render() {
      await readDatabase()
      return (await Promise.all([known.metrics(), renderCounted()])).join('\n')
    },
  }
}
