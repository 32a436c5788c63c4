import { setTimeout as sleep } from 'node:timers/promises'
import { fsErrors } from '@dropleaf/contract'
import { parseFolderKey, type StorageDriver } from '@dropleaf/storage'
import type { AppContext } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { settleBelow } from '../leases/key-leases.usecases.ts'
import { folderExists } from '../../../../storage/walk.ts'

/**
 * A folder may be deleted while an object is written into it. A disk checks the folder when it renames the file (`intoFolder`);
 * a bucket, which has no transactions, is checked before and after. A deletion checks for remaining objects at its end, so a
 * deletion and a concurrent write of one object cannot both succeed.
 */

interface FolderPlace {
  readonly config: { readonly id: string }
  readonly driver: StorageDriver
  readonly rest: string
}

/**
 * A check of the parent folder that is at most this old is recent enough for a write, unless someone is deleting the folder.
 */
export const JUST_MS = 50

/**
 * Waits for writers that found the folder before it was deleted. The caller holds its lease, and must check for what they
 * leave.
 */
export async function settleWriters(ctx: AppContext, { config, driver, rest }: FolderPlace): Promise<void> {
  if (driver.kind === 's3') await sleep(JUST_MS + 1)
  await settleBelow(ctx, { configId: config.id, key: rest })
}

/** @param prefix of the folder; empty for the root. @throws {AppError} `fs.parent_missing` */
export async function requireAbove(driver: StorageDriver, prefix: string): Promise<void> {
  if (!(await folderExists(driver, prefix))) throw new AppError(fsErrors.parent_missing)
}

/**
 * Whether a folder of a bucket disappeared during a write: the new object is all that is left.
 * @param prefix of the folder; empty for the root.
 * @param key of the new object, a folder's without its slash.
 */
export async function isGoneAbove(
  driver: StorageDriver,
  { prefix, key }: { prefix: string; key: string },
): Promise<boolean> {
  if (driver.kind !== 's3' || prefix === '') return false
  if (await driver.stat(parseFolderKey(prefix))) return false
  let cursor: string | undefined
  do {
    const page = await driver.list({ prefix, delimiter: '/', limit: 10, cursor })
    const names = [...page.objects, ...page.folders].map((one) => one.key.replace(/\/$/, ''))
    if (page.unnamed.length > 0 || names.some((name) => name !== key)) return false
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return true
}
