import type { Needs } from '../../../../context.ts'
import { filesRepository } from '../files.repository.ts'
import { planRemoval } from '../objects/removals.usecases.ts'

const BATCH_ROWS = 200

export async function dropAbandonedUploads(
  ctx: Needs<'clock' | 'database' | 'db'>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const nowMs = ctx.clock.nowMs()
    const due = await filesRepository(ctx.db).findAbandoned(nowMs, BATCH_ROWS)
    for (const { id } of due) {
      await ctx.database.transaction(async (trx) => {
        const object = await filesRepository(trx).deleteAbandoned(id, nowMs)
        if (object) await planRemoval(trx, object, nowMs)
      })
    }
    if (due.length < BATCH_ROWS || signal.aborted) return
  }
}

export const abandonedUploads = (ctx: Needs<'clock' | 'db'>): Promise<{ count: number; bytes: number }> =>
  filesRepository(ctx.db).sumAbandoned(ctx.clock.nowMs())
