import { Readable } from 'node:stream'
import { parseStorageKey } from '../../keys.ts'
import { createDiskDriver } from '../driver.ts'
import { fakeLinks } from './fake-links.ts'

/** Writes objects in a loop, and prints each completed one. The test that started this program kills it. */

const [root = '', round = ''] = process.argv.slice(2)
const driver = await createDiskDriver({ root, links: fakeLinks })
const chunk = Buffer.alloc(65_536, round)

async function writeForever(worker: number): Promise<never> {
  for (let index = 0; ; index += 1) {
    const key = parseStorageKey(`round ${round}/worker ${worker}/${index}`)
    await driver.write(key, Readable.from(Array.from({ length: 8 }, () => chunk)))
    process.stdout.write(`${key}\n`)
  }
}
await Promise.all([0, 1, 2, 3].map(writeForever))
