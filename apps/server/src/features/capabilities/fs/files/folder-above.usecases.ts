import { setTimeout as sleep } from 'node:timers/promises'
import { fsErrors } from '@dropleaf/contract'
import { parseFolderKey, type StorageDriver } from '@dropleaf/storage'
import type { AppContext } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { settleBelow } from '../leases/key-leases.usecases.ts'
import { folderExists } from '../../../../storage/walk.ts'

/**
 * A folder may go while something comes into it. A disk looks again at the moment it names what comes (`intoFolder`); a
 * bucket, which has no transactions, is asked before and after. A removal looks for what is left when it is through, so of a
 * removal and what comes into the folder by one request, not both succeed.
 */

interface FolderPlace {
  readonly config: { readonly id: string }
  readonly driver: StorageDriver
  readonly rest: string
}

/** A look at the folder above that is no older than this is young enough for a write, unless somebody takes the folder away. */
export const JUST_MS = 50

/**
 * Waits for those who write into a folder that is taken away, and found it there. Its name is held; what they leave is to be
 * looked for afterwards.
 */
export async function settleWriters(ctx: AppContext, { config, driver, rest }: FolderPlace): Promise<void> {
  if (driver.kind === 's3') await sleep(JUST_MS + 1)
  await settleBelow(ctx, { configId: config.id, key: rest })
}

/** @param prefix of the folder; empty for the top. @throws {AppError} `fs.parent_missing` */
export async function requireAbove(driver: StorageDriver, prefix: string): Promise<void> {
  if (!(await folderExists(driver, prefix))) throw new AppError(fsErrors.parent_missing)
}

/**
 * Whether a folder of a bucket went while something new came into it: what came is all that is left.
 * @param prefix of the folder; empty for the top. @param key of what came, a folder's without its slash.
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
