import { link, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseStorageKey } from '../../keys.ts'
import { createDiskDriver } from '../driver.ts'
import { fakeLinks } from './fake-links.ts'

/** Writes a small file where another program has just moved or replaced one, says so, and waits for the end. */
const [root = '', how = ''] = process.argv.slice(2)
const driver = await createDiskDriver({ root, links: fakeLinks, keepsJournal: true })
const path = join(root, 'name')

// To begin a journal commits all that was done before.
await driver.write(parseStorageKey('other'), Buffer.from('other'))
await driver.write(parseStorageKey('name'), Buffer.alloc(300_000, 'old'))
// Times of files are no finer than some milliseconds.
await sleep(20)
if (how === 'moved') await rename(path, `${path}-moved`)
else {
  await link(path, `${path}-kept`)
  await writeFile(`${path}-new`, 'by hand')
  await rename(`${path}-new`, path)
}
await driver.write(parseStorageKey('name'), Buffer.from('acknowledged'))
process.stdout.write('acknowledged\n')
setInterval(() => undefined, 60_000)
