import type { StorageDriver } from '@dropleaf/storage'
import type { AppContext } from '../../../../context.ts'
import { keyOnRecord } from '../../../../storage/key-on-record.ts'
import { isShareKey } from '../../../foundation/share-objects/share-keys.models.ts'
import { filesRepository } from '../files.repository.ts'
import { removalsRepository } from './removals.repository.ts'
import { sharedObjectsRepository } from './shared-objects.repository.ts'

/** What a check of shares against a storage needs to know of the shares. */

/** A share, as far as its object is concerned. */
export interface StoredShare {
  readonly id: string
  readonly slug: string
  readonly filename: string
  readonly storage_key: string
  readonly size_bytes: number
}

/** Shares whose object should lie in a storage, page by page in the order of their ids. */
export const storedShares = (
  ctx: AppContext,
  configId: string,
  page: { afterId: string; limit: number },
): Promise<StoredShare[]> => filesRepository(ctx.db).findStored(configId, page)

/** Whether the object of a share is gone, and the share still there: one that is moved or deleted meanwhile is not lost. */
export async function isLost(
  ctx: AppContext,
  configId: string,
  { driver, share }: { driver: StorageDriver; share: StoredShare },
): Promise<boolean> {
  const key = keyOnRecord(driver, share.storage_key)
  if (await driver.stat(key)) return false
  if (!(await filesRepository(ctx.db).isStoredAt(share.id, configId, share.storage_key))) return false
  return (await driver.stat(key)) === null
}

/** Forgets a share whose object is gone. @returns whether it was still there. */
export const forgetLostShare = (ctx: AppContext, configId: string, share: StoredShare): Promise<boolean> =>
  filesRepository(ctx.db).deleteStoredAt(share.id, configId, share.storage_key)

/**
 * Which keys of a page were made for shares that are not there any more. A key that a person chose is never among them, nor
 * one whose removal is planned.
 */
export async function strayKeys(
  ctx: AppContext,
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

/** Plans that a stray object goes, unless it is one no more. @returns whether it goes. */
export async function planStrayRemoval(ctx: AppContext, configId: string, key: string): Promise<boolean> {
  return ctx.database.transaction(async (trx) => {
    const uses = await sharedObjectsRepository(trx, configId).usesOf([key])
    if (uses.length > 0) return false
    await removalsRepository(trx).add({ storage_config_id: configId, storage_key: key }, ctx.clock.nowMs())
    return true
  })
}

/** Whether an object that is to go is still there, as far as we know. */
export const isRemovalPlanned = (ctx: AppContext, configId: string, key: string): Promise<boolean> =>
  removalsRepository(ctx.db).isPlanned(configId, key)
