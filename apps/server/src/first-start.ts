import type { AppContext } from './context.ts'
import { ensureAdmin, findAdminId } from './features/auth/auth.usecases.ts'
import { recoverFiles } from './features/files/files.jobs.ts'
import { ensureLocalDisk } from './features/storage-configs/storage-configs.usecases.ts'

/**
 * What must be there before the first request: the administrator, a storage, and a data folder without leftovers.
 * @returns the generated admin password on the very first start without a configured one, else `null`.
 */
export async function prepare(ctx: AppContext): Promise<string | null> {
  const password = await ctx.database.exclusively('prepare', async () => {
    const generated = await ensureAdmin(ctx)
    await ensureLocalDisk(ctx, await findAdminId(ctx))
    return generated
  })
  await recoverFiles(ctx)
  return password ?? null
}
