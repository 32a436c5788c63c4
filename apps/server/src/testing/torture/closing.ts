import { readdir, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RECONCILIATION_KINDS, type ReconciliationReport } from '@dropleaf/contract'
import { pino } from 'pino'
import { buildApp } from '../../app.ts'
import { loadConfig } from '../../config/config.ts'
import { type AppContext, createContext } from '../../context.ts'
import type { Ledger } from './ledger.ts'
import { PASSWORD } from './load.ts'

/** Checks and maintenance while no server runs. */

export const DAY_MS = 25 * 3_600_000

/** Expires all leases immediately, because no process is alive that could hold a lease. */
export async function endLeases(ctx: AppContext): Promise<void> {
  await ctx.db.updateTable('tasks').set({ lease_until_ms: 0 }).where('state', '=', 'running').execute()
  await ctx.db.updateTable('key_holds').set({ expires_at_ms: 0 }).execute()
  await ctx.unfinished.expireAll()
  await ctx.db.updateTable('files').set({ receiving_until_ms: null }).execute()
}

export async function withStores<T>(
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

/**
 * Sets the timestamps of the local disk's temporary files to `DAY_MS` ago, because the age of a file depends on its
 * timestamps.
 */
export async function ageTemporaryFiles(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'storage', 'local', '.dropleaf-tmp')
  const yesterday = new Date(Date.now() - DAY_MS)
  for (const name of await readdir(folder, { recursive: true }))
    await utimes(join(folder, name), yesterday, yesterday)
}

/**
 * Runs one sweep, one reconciliation that repairs, and one reconciliation that must find nothing. The clock of `ctx`
 * must be `DAY_MS` ahead.
 */
export async function cleanUp(ctx: AppContext, ledger: Ledger): Promise<Record<string, number>> {
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
