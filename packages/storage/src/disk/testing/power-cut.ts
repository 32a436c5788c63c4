import { cp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeHeader, decodeRecords, type JournalRecord, lastFiles } from '../journal/records.ts'

const JOURNAL = '.dropleaf-tmp/journal'

/** What the journal of a storage folder would bring back. */
export async function notedIn(root: string): Promise<JournalRecord[]> {
  const records: JournalRecord[] = []
  const names = await readdir(join(root, JOURNAL)).catch(() => [])
  for (const name of names) {
    const segment = await readFile(join(root, JOURNAL, name))
    const header = decodeHeader(segment)
    if (header) records.push(...decodeRecords(segment, header))
  }
  return lastFiles(records)
}

/**
 * Takes a storage folder away from the driver that has it, as a machine finds it that starts again; what was not synced is for the
 * caller to damage. Files keep their inodes. The driver goes on with a journal that nobody sees any more.
 */
export async function afterPowerCut(root: string, taken: string): Promise<JournalRecord[]> {
  await rename(root, taken)
  const journal = join(taken, JOURNAL)
  await cp(journal, `${journal}-copy`, { recursive: true })
  await rm(journal, { recursive: true })
  await rename(`${journal}-copy`, journal)
  return notedIn(taken)
}
