import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  decodeHeader,
  decodeRecords,
  encodeHeader,
  type JournalRecord,
  lastFiles,
} from '../journal/records.ts'

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

/** Lets the journal of a storage folder be of another start of the machine. */
export async function restartMachine(root: string): Promise<void> {
  for (const name of await readdir(join(root, JOURNAL))) {
    const file = join(root, JOURNAL, name)
    const segment = await readFile(file)
    const header = decodeHeader(segment)
    if (!header) continue
    encodeHeader({ ...header, bootId: 'another' }).copy(segment)
    await writeFile(file, segment)
  }
}

/** A copy of a storage folder, as a machine finds it that starts again; what was not synced is for the caller to take away. */
export async function afterPowerCut(root: string, copy: string): Promise<JournalRecord[]> {
  await cp(root, copy, { recursive: true, preserveTimestamps: true })
  await restartMachine(copy)
  return notedIn(copy)
}
