import { randomUUID } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errnoOf } from '../errors.ts'

/**
 * Ends a journal of which nothing is needed any more, in one step that is on the medium afterwards: a part of it could bring back what
 * the whole has taken back, and all of it what is removed from now on.
 * @returns where it lies now, for the sweep to take some day; `null` where there was none
 */
export async function setJournalAside(folder: string): Promise<string | null> {
  const aside = join(dirname(folder), randomUUID())
  try {
    await rename(folder, aside)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    return null
  }
  await using parent = await open(dirname(folder), 'r')
  await parent.sync()
  return aside
}
