import { parseFolderKey, parseStorageKey, type StorageKey } from '../../keys.ts'
import { createDiskDriver } from '../driver.ts'
import { fakeLinks } from './fake-links.ts'

/**
 * Changes small files in a loop, in four folders at once. Prints each change before it starts and when it is done. The
 * test that started this program cuts the power. The expected content of a folder is printed as JSON: contents by name.
 */

const [root = ''] = process.argv.slice(2)
const driver = await createDiskDriver({ root, links: fakeLinks })
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']
const SIZE_BYTES = 10_240

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const contentOf = (text: string) => Buffer.from(text.padEnd(SIZE_BYTES, '.'))

/**
 * Throws the error of a failed removal, because `remove` only returns the error. After the power cut, all removals
 * fail.
 */
async function removeOne(key: StorageKey): Promise<void> {
  const { failed } = await driver.remove([key])
  if (failed[0]) throw failed[0].error
}

async function changeForever(folder: string): Promise<never> {
  const files = new Map<string, string>()
  const keyOf = (name: string) => parseStorageKey(`${folder}/${name}`)
  for (let turn = 0; ; turn += 1) {
    const name = NAMES[(turn * 7) % NAMES.length] ?? 'a'
    const other = NAMES[(turn * 5 + 1) % NAMES.length] ?? 'b'
    const kind = turn % 11
    const before = Object.fromEntries(files)
    const apply = async () => {
      if (kind === 3 && files.has(name)) {
        files.delete(name)
        return () => removeOne(keyOf(name))
      }
      if (kind === 6 && files.has(name) && name !== other) {
        files.set(other, files.get(name) ?? '')
        files.delete(name)
        return () => driver.move?.(keyOf(name), keyOf(other))
      }
      files.set(name, `${folder} ${turn}`)
      return () => driver.write(keyOf(name), contentOf(`${folder} ${turn}`))
    }
    const run = await apply()
    say({ folder, begun: Object.fromEntries(files), before })
    await run()
    say({ folder, done: Object.fromEntries(files) })
  }
}

for (const folder of ['one', 'two', 'three', 'four'])
  await driver.write(parseFolderKey(`${folder}/`), Buffer.alloc(0))
await Promise.all(['one', 'two', 'three', 'four'].map(changeForever))
