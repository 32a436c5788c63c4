import type { AppContext } from '../../context.ts'
import type { Db } from '../../schema.ts'
import { isInSharesFolder, isShareKey } from './files.models.ts'
import { sharedObjectsRepository } from './shared-objects.repository.ts'

/** Of one storage. `db` may be a transaction. */
interface Storage {
  readonly db: Db
  readonly configId: string
}

/**
 * Which of some keys, of objects and folders, belong to shares: they lie in a folder of shares, carry a share's mark, or are
 * the object of a share that is older than both.
 */
export async function shareObjectsAmong(
  { secrets }: Pick<AppContext, 'secrets'>,
  { db, configId }: Storage,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const maker = { configId, sign: (text: string) => secrets.sign(text) }
  const found = new Set(keys.filter((key) => isInSharesFolder(key) || isShareKey(maker, key)))
  const others = keys.filter((key) => !key.endsWith('/') && !found.has(key))
  for (const key of await sharedObjectsRepository(db, configId).ownedAmong(others)) found.add(key)
  return found
}

/** Whether objects of shares, planned removals included, lie somewhere below a folder (`a/`). */
export const hasShareObjectsBelow = ({ db, configId }: Storage, folder: string): Promise<boolean> =>
  sharedObjectsRepository(db, configId).hasOwnedBelow(folder)
