import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Guide, guide, LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import type { AdminActor } from '../../foundation/identity/actor.models.ts'
import { hasAdmin, isAccountChanged } from '../../foundation/identity/auth.usecases.ts'
import { storeValue, readStoredValue } from '../../foundation/settings/stored-values.usecases.ts'
import { allConfigs } from '../../foundation/storage-configs/storage-configs.usecases.ts'

const FIRST: Guide = { state: 'open', step: 'language', done: [] }
/** State on servers that were set up without the guide. */
const OVER: Guide = { state: 'done', step: 'done', done: [] }

/** Opens the guide at the very first start. Call before the administrator is created. */
export async function ensureGuide(ctx: Needs<'clock' | 'db'>): Promise<void> {
  if (!(await hasAdmin(ctx))) await saveGuide(ctx, FIRST)
}

export async function readGuide(ctx: Needs<'db'>): Promise<Guide> {
  const kept = guide.safeParse(await readStoredValue(ctx, 'welcome'))
  return kept.success ? kept.data : OVER
}

/**
 * Saves the state of the guide. Merges the finished steps, because the state of one browser might lack steps that were
 * finished in another browser.
 */
export async function saveGuide(ctx: Needs<'clock' | 'db'>, value: Guide): Promise<void> {
  const kept = guide.safeParse(await readStoredValue(ctx, 'welcome'))
  const done = [...new Set([...(kept.data?.done ?? []), ...value.done])]
  await storeValue(ctx.db, 'welcome', { value: { ...value, done }, nowMs: ctx.clock.nowMs() })
}

async function passwordFrom(
  ctx: Needs<'config' | 'db'>,
  admin: AdminActor,
): Promise<'console' | 'environment' | 'own'> {
  if (await isAccountChanged(ctx, admin)) return 'own'
  return ctx.config.adminPassword === null ? 'console' : 'environment'
}

/**
 * Returns the folder of the default local disk with its free and total space. If the default storage is not a local
 * disk, uses the first local disk. Returns `null` without a local disk.
 */
async function diskOf(ctx: Needs<'config' | 'db'>) {
  const configs = await allConfigs(ctx)
  const disks = configs.filter((config) => config.provider_type === LOCAL_DISK_PROVIDER)
  const disk = disks.find((config) => config.is_default === 1) ?? disks[0]
  if (!disk) return null
  const base = join(ctx.config.dataDir, 'storage')
  const { bavail, blocks, bsize } = await statfs(base)
  return { folder: join(base, disk.bucket_name), freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** Returns the guide with the data for its steps. */
export async function presentGuide(ctx: Needs<'config' | 'db'>, admin: AdminActor) {
  const [kept, password, disk] = await Promise.all([readGuide(ctx), passwordFrom(ctx, admin), diskOf(ctx)])
  return { ...kept, username: admin.username, password, disk }
}
