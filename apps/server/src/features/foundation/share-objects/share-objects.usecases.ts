import type { AppContext } from '../../../context.ts'
import type { Db } from '../../../schema.ts'
import { isInSharesFolder, isShareKey, mayBeShareKey } from './share-keys.models.ts'
import { shareObjectsRepository } from './share-objects.repository.ts'

/** Of one storage. `db` may be a transaction. */
interface Storage {
  readonly db: Db
  readonly configId: string
}

/** A key with its composed and decomposed forms: some disks take one for the other. */
const formsOf = (key: string): readonly string[] => [
  ...new Set([key, key.normalize('NFC'), key.normalize('NFD')]),
]

/**
 * Which of some keys, of objects and folders, belong to shares: they lie in a folder of shares, carry a share's mark, or are
 * the object of a share that is older than both. The shares may have been made through another configuration of the same bucket.
 * @param isWrite for keys that are written to: an object whose share is gone may be replaced, though not be read, before its
 *   storage has removed it.
 */
export async function shareObjectsAmong(
  { secrets }: Pick<AppContext, 'secrets'>,
  { db, configId }: Storage,
  keys: readonly string[],
  { isWrite = false }: { isWrite?: boolean } = {},
): Promise<ReadonlySet<string>> {
  const found = new Set(keys.filter(isInSharesFolder))
  const objects = keys.filter((key) => !key.endsWith('/') && !found.has(key))
  if (objects.length === 0) return found
  const repository = shareObjectsRepository(db, configId)
  const forms = objects.flatMap(formsOf)
  const owned = new Set(await repository.ownedAmong(forms, { orDid: !isWrite }))
  const configIds = forms.some(mayBeShareKey) ? await repository.sameStorage() : []
  const sign = (text: string) => secrets.sign(text)
  const isOfShare = (form: string) =>
    owned.has(form) || configIds.some((id) => isShareKey({ configId: id, sign }, form))
  for (const key of objects) if (formsOf(key).some(isOfShare)) found.add(key)
  return found
}

/** Whether objects of shares, planned removals included, lie somewhere below a folder (`a/`). */
export const hasShareObjectsBelow = ({ db, configId }: Storage, folder: string): Promise<boolean> =>
  shareObjectsRepository(db, configId).hasOwnedBelow(folder)
