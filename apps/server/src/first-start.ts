import { setTimeout as sleep } from 'node:timers/promises'
import type { Needs } from './context.ts'
import {
  ensureAdmin,
  findAdminId,
  findFirstLogin,
  type FirstLogin,
} from './features/foundation/identity/auth.usecases.ts'
import { recoverFiles } from './features/capabilities/files/files.jobs.ts'
import { mountLocalDisk } from './features/foundation/mounts/mounts.usecases.ts'
import { clearSpool } from './features/capabilities/fs/uploads/spool.usecases.ts'
import { warnOfRestored } from './features/foundation/restored/restored.usecases.ts'
import { distrustListings } from './features/foundation/object-index/index-status.usecases.ts'
import { ensureLocalDisk, openLocalDisks } from './features/foundation/storage-configs/local-disk.usecases.ts'
import { ensureGuide } from './features/operations/welcome/welcome.usecases.ts'

const WAIT_MS = 100

/**
 * Creates what the first request needs: the administrator and a storage. With SQLite, also deletes what interrupted
 * requests left in the data folder.
 * @returns the generated administrator name and password until a console has shown them (see `forgetFirstLogin`), else
 * `null`
 */
export async function prepare(
  ctx: Needs<
    'clock' | 'config' | 'database' | 'db' | 'log' | 'passwords' | 'secrets' | 'storage' | 'unfinished'
  >,
): Promise<FirstLogin | null> {
  for (;;) {
    const isDone = await ctx.database.exclusively('prepare', async () => {
      await ensureGuide(ctx)
      await ensureAdmin(ctx)
      const adminId = await findAdminId(ctx)
      await ensureLocalDisk(ctx, (db, configId) => mountLocalDisk(ctx, db, { configId, adminId }))
      return true
    })
    if (isDone) {
      await openLocalDisks(ctx)
      await recoverFiles(ctx)
      if (ctx.database.engine === 'sqlite') await clearSpool(ctx)
      await distrustListings(ctx)
      await warnOfRestored(ctx)
      return findFirstLogin(ctx)
    }
    // Another replica is preparing the server. This process must not accept requests before the preparation is
    // finished.
    await sleep(WAIT_MS)
  }
}
