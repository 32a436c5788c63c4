import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StorageDriver } from '../../driver.ts'
import { createDiskDriver } from '../driver.ts'
import { fakeLinks } from './fake-links.ts'

/**
 * Creates a driver on a new folder. `outside` is the path of a folder next to it, which no key may reach. Both folders
 * are removed when the returned object goes out of scope.
 */
export async function temporaryDisk({ syncs = true }: { syncs?: boolean } = {}) {
  const base = await mkdtemp(join(tmpdir(), 'dropleaf-disk-'))
  const root = join(base, 'root')
  const open = (): Promise<StorageDriver> => createDiskDriver({ root, links: fakeLinks, syncs })
  return {
    root,
    outside: join(base, 'outside'),
    driver: await open(),
    reopen: open,
    /** Returns the names of temporary files of writes. */
    leftovers: async () => (await readdir(join(root, '.dropleaf-tmp'))).filter((name) => name !== 'uploads'),
    remove: () => rm(base, { recursive: true, force: true }),
    [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }),
  }
}
