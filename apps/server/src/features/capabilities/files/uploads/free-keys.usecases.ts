import { fileErrors } from '@dropleaf/contract'
import type { StorageDriver, StorageKey } from '@dropleaf/storage'
import type { Needs } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { filesRepository } from '../files.repository.ts'
import { settleRemovalOf } from '../objects/removals.usecases.ts'

const MAX_NUMBERED_NAMES = 1000

/**
 * Returns the key if no share uses it, otherwise the first free key of `name(1).ext`, `name(2).ext`, …
 * @throws {AppError} `file.path_taken` if all numbered keys are taken
 */
export async function besideOwn(ctx: Needs<'db'>, configId: string, key: string): Promise<string> {
  const [, stem = key, extension = ''] = /^(.*?)(\.[^./]*)?$/.exec(key) ?? []
  for (let number = 0; number < MAX_NUMBERED_NAMES; number += 1) {
    const candidate = number === 0 ? key : `${stem}(${number})${extension}`
    if (!(await filesRepository(ctx.db).findByObject(configId, candidate))) return candidate
  }
  throw new AppError(fileErrors.path_taken)
}

/**
 * Requires a key without an object, because aborting the upload deletes the object. @throws {AppError}
 * `file.path_taken`; as `settleRemovalOf`
 */
export async function requireFreeKey(
  ctx: Needs<'clock' | 'database' | 'db' | 'log' | 'storage'>,
  { configId, driver, key }: { configId: string; driver: StorageDriver; key: StorageKey },
): Promise<void> {
  await settleRemovalOf(ctx, { configId, key })
  if (await driver.stat(key)) throw new AppError(fileErrors.path_taken)
}
