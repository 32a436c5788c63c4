import type { Op, StorageDriver } from './driver.ts'
import type { StorageError } from './errors.ts'
import type { StorageKey } from './keys.ts'

/** Removes all keys, or throws. @throws {StorageError} the first failure */
export async function removeAll(
  driver: Pick<StorageDriver, 'remove'>,
  keys: readonly StorageKey[],
  o?: Op,
): Promise<void> {
  const { failed } = await driver.remove(keys, o)
  const [first]: Array<{ error: StorageError } | undefined> = failed
  if (first) throw first.error
}
