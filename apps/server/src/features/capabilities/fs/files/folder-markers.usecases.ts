import { Readable } from 'node:stream'
import { parseFolderKey } from '@dropleaf/storage'
import type { IndexNeeds, Needs } from '../../../../context.ts'
import { noteChange } from '../../../foundation/object-index/storage-changes.usecases.ts'
import type { Place } from '../places/places.usecases.ts'
import { folderExists } from '../../../../storage/walk.ts'

/**
 * Creates markers for folders that became empty, because a bucket's folder exists only while it contains something.
 * @param prefixes folders from which entries were removed; the mount itself needs no marker.
 */
export async function keepFolders(
  ctx: IndexNeeds & Needs<'secrets'>,
  { config, driver }: Pick<Place, 'config' | 'driver'>,
  prefixes: Iterable<string>,
): Promise<void> {
  for (const prefix of new Set(prefixes)) {
    if (prefix === '' || (await folderExists(driver, prefix))) continue
    const marker = await driver.write(parseFolderKey(prefix), Readable.from([]), { sizeBytes: 0 })
    await noteChange(ctx, { configId: config.id, written: [marker] })
  }
}
