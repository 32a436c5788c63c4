import { setTimeout as sleep } from 'node:timers/promises'
import { fsErrors } from '@dropleaf/contract'
import { parseFolderKey, type StorageDriver } from '@dropleaf/storage'
import type { Needs } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { settleBelow } from '../leases/key-leases.usecases.ts'
import { folderExists } from '../../../../storage/walk.ts'

/**
 * A folder can be deleted while an object is written into it. A local disk detects the deletion when it renames the
 * file (`intoFolder`). A bucket has no transactions, so the server checks the folder before and after the write. As its
 * last step, a deletion checks for remaining objects. So a deletion and a concurrent write cannot both succeed.
 */

interface FolderPlace {
  readonly config: { readonly id: string }
  readonly driver: StorageDriver
  readonly rest: string
}

/**
 * How long a check of the parent folder is valid for a write, in milliseconds. While the folder is being deleted, the
 * check is not valid.
 */
export const JUST_MS = 50

/**
 * Waits for writes that found the folder before its deletion. The caller holds the folder's lease, and must then check
 * for objects written meanwhile.
 */
export async function settleWriters(
  ctx: Needs<'clock' | 'state'>,
  { config, driver, rest }: FolderPlace,
): Promise<void> {
  if (driver.kind === 's3') await sleep(JUST_MS + 1)
  await settleBelow(ctx, { configId: config.id, key: rest })
}

/**
 * @param prefix of the folder; empty for the root.
 * @throws {AppError} `fs.parent_missing`
 */
export async function requireAbove(driver: StorageDriver, prefix: string): Promise<void> {
  if (!(await folderExists(driver, prefix))) throw new AppError(fsErrors.parent_missing)
}

/**
 * Returns whether a bucket's folder disappeared during a write, so that only the new object is left in it.
 * @param prefix of the folder; empty for the root.
 * @param key of the new object; for a folder, without its slash.
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
