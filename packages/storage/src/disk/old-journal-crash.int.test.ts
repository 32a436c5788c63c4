import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createDiskDriver } from './driver.ts'
import { fakeLinks } from './testing/fake-links.ts'
import { oldServer } from './testing/old-journal.ts'

/** Number of changes that still succeed. Every further change fails, as in a killed process or on an unplugged disk. */
const disk = vi.hoisted(() => ({ changesLeft: Infinity, code: 'EIO' }))

vi.mock(import('node:fs/promises'), async (importOriginal) => {
  const fs = await importOriginal()
  const spend = () => {
    if (disk.changesLeft <= 0) throw Object.assign(new Error(disk.code), { code: disk.code })
    disk.changesLeft -= 1
  }
  const counted = <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async function (this: unknown, ...args: Args): Promise<Result> {
      spend()
      return Reflect.apply(call, this, args)
    }
  const open = async (...args: Parameters<typeof fs.open>): Promise<FileHandle> => {
    spend()
    const handle = await fs.open(...args)
    for (const name of ['writeFile', 'utimes', 'sync'] as const)
      Object.defineProperty(handle, name, {
        value: counted(handle[name].bind(handle) as () => Promise<void>),
      })
    return handle
  }
  const { mkdir, rename, rm } = fs
  return {
    ...fs,
    open,
    mkdir: counted(mkdir) as typeof mkdir,
    rename: counted(rename),
    rm: counted(rm),
  }
})

const base = mkdtempSync(join(tmpdir(), 'dropleaf-old-'))
afterEach(() => {
  Object.assign(disk, { changesLeft: Infinity, code: 'EIO' })
  rmSync(base, { recursive: true, force: true })
})

/**
 * Creates a folder whose old journal contains four files: one is missing, one is empty, one is intact, and one was
 * removed and its record revoked.
 */
async function damagedFolder(name: string): Promise<string> {
  const root = join(base, name)
  mkdirSync(join(root, '.dropleaf-tmp/uploads'), { recursive: true })
  const server = oldServer(root)
  for (const path of ['deep/er/gone', 'torn', 'fine', 'removed'])
    await server.write(path, `content of ${path}`)
  server.takeBack('removed')
  await server.leaveJournal()
  for (const path of ['deep', 'removed']) rmSync(join(root, path), { recursive: true })
  truncateSync(join(root, 'torn'))
  return root
}

function expectAll(root: string): void {
  for (const path of ['deep/er/gone', 'torn', 'fine'])
    expect(readFileSync(join(root, path), 'utf8')).toBe(`content of ${path}`)
  expect(readdirSync(root).sort()).toEqual(['.dropleaf-tmp', 'deep', 'fine', 'torn'])
}

test('a crash at any step of restoring an old journal loses nothing', async () => {
  let crashes = 0
  for (let isDone = false; !isDone; crashes += 1) {
    const root = await damagedFolder(`crash-${crashes}`)
    disk.changesLeft = crashes
    isDone = await createDiskDriver({ root, links: fakeLinks }).then(
      () => true,
      () => false,
    )
    disk.changesLeft = Infinity
    const driver = await createDiskDriver({ root, links: fakeLinks })
    expectAll(root)
    await driver.sweepTemporary({ olderThanMs: 0 })
    expect(readdirSync(join(root, '.dropleaf-tmp'))).toEqual(['uploads'])
  }
  // Makes sure that the loop did not end early.
  expect(crashes).toBeGreaterThan(20)
})

test('a full disk keeps the storage closed, and the journal, until there is space', async () => {
  const root = await damagedFolder('full')
  Object.assign(disk, { changesLeft: 6, code: 'ENOSPC' })
  await expect(createDiskDriver({ root, links: fakeLinks })).rejects.toMatchObject({ code: 'storage.full' })
  expect(readdirSync(join(root, '.dropleaf-tmp'))).toContain('journal')
  disk.changesLeft = Infinity
  await createDiskDriver({ root, links: fakeLinks })
  expectAll(root)
})
