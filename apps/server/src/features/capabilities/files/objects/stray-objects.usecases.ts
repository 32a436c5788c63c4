import type { StorageDriver } from '@dropleaf/storage'
import type { Needs } from '../../../../context.ts'
import { keyOnRecord } from '../../../../storage/key-on-record.ts'
import { isShareKey } from '../../../foundation/share-objects/share-keys.models.ts'
import { removalsRepository } from './removals.repository.ts'
import { sharedObjectsRepository } from './shared-objects.repository.ts'
import { storedFilesRepository } from './stored-files.repository.ts'

export interface StoredShare {
  readonly id: string
  readonly slug: string
  readonly filename: string
  readonly storage_key: string
  readonly size_bytes: number
  /** Bundle to which the object belongs; `slug` is then the link suffix of the bundle. */
  readonly bundle_id: string | null
}

/** Lists shares and objects of bundles that are in a storage, in pages ordered by id. */
export const storedShares = (
  ctx: Needs<'db'>,
  configId: string,
  page: { afterId: string; limit: number },
): Promise<StoredShare[]> => storedFilesRepository(ctx.db).findStored(configId, page)

/** Whether the object of a share is missing. `false` if the share was moved or deleted in the meantime. */
export async function isLost(
  ctx: Needs<'db'>,
  configId: string,
  { driver, share }: { driver: StorageDriver; share: StoredShare },
): Promise<boolean> {
  const key = keyOnRecord(driver, share.storage_key)
  if (await driver.stat(key)) return false
  if (!(await storedFilesRepository(ctx.db).isStoredAt(share.id, configId, share.storage_key))) return false
  return (await driver.stat(key)) === null
}

/** Deletes a share whose object is missing. @returns whether the share existed */
export const forgetLostShare = (ctx: Needs<'db'>, configId: string, share: StoredShare): Promise<boolean> =>
  storedFilesRepository(ctx.db).deleteStoredAt(share.id, configId, share.storage_key)

/**
 * Returns the given keys that were generated for shares and are no longer used. Excludes keys chosen by users, and keys
 * with a scheduled deletion.
 */
export async function strayKeys(
  ctx: Needs<'db' | 'secrets'>,
  configId: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const maker = { configId, sign: (text: string) => ctx.secrets.sign(text) }
  const made = keys.filter((key) => isShareKey(maker, key))
  if (made.length === 0) return new Set()
  const uses = await sharedObjectsRepository(ctx.db, configId).usesOf(made)
  const used = new Set(uses.map((use) => use.storage_key))
  return new Set(made.filter((key) => !used.has(key)))
}

/**
 * Schedules the deletion of a stray object, unless a share uses the object by now, or its deletion is already
 * scheduled.
 * @returns whether it was scheduled
 */
export async function planStrayRemoval(
  ctx: Needs<'clock' | 'database'>,
  configId: string,
  key: string,
): Promise<boolean> {
  return ctx.database.transaction(async (trx) => {
    const uses = await sharedObjectsRepository(trx, configId).usesOf([key])
    if (uses.length > 0) return false
    await removalsRepository(trx).add({ storage_config_id: configId, storage_key: key }, ctx.clock.nowMs())
    return true
  })
}

export const isRemovalPlanned = (ctx: Needs<'db'>, configId: string, key: string): Promise<boolean> =>
  removalsRepository(ctx.db).isPlanned(configId, key)
