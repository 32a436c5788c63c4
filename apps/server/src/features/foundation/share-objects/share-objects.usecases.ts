import type { Needs } from '../../../context.ts'
import type { Db } from '../../../schema.ts'
import { isInSharesFolder, isShareKey, mayBeShareKey } from './share-keys.models.ts'
import { shareObjectsRepository } from './share-objects.repository.ts'

/** A storage. `db` can be a transaction. */
interface Storage {
  readonly db: Db
  readonly configId: string
}

/** Returns a key with its composed and decomposed forms, which some disks treat as equal. */
const formsOf = (key: string): readonly string[] => [
  ...new Set([key, key.normalize('NFC'), key.normalize('NFD')]),
]

/**
 * Returns those of the given keys that belong to shares. Such a key is in a folder of shares, has a share's signature,
 * or is recorded in the database. Shares of other configs of the same bucket count too.
 * @param isWrite whether the keys are to be written. An object of a deleted share can be overwritten before the storage
 * has deleted it, but not read.
 */
export async function shareObjectsAmong(
  { secrets }: Needs<'secrets'>,
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

/** Whether a folder (`a/`) contains objects of shares, including objects that wait for deletion. */
export const hasShareObjectsBelow = ({ db, configId }: Storage, folder: string): Promise<boolean> =>
  shareObjectsRepository(db, configId).hasOwnedBelow(folder)
