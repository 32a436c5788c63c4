import { sep } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { StorageDriver } from '../driver.ts'
import { parseFolderKey, parseStorageKey } from '../keys.ts'
import { temporaryDisk } from './testing/temporary-disk.ts'

/**
 * Records in order what is fsynced, renamed, linked and removed. `mayRemoveFolders` makes removals of folders fail if
 * false.
 */
const disk = vi.hoisted(() => ({ steps: [] as string[], mayRemoveFolders: true }))

vi.mock(import('node:fs/promises'), async (importOriginal) => {
  const fs = await importOriginal()
  const open = async (...args: Parameters<typeof fs.open>) => {
    const handle = await fs.open(...args)
    const sync = handle.sync.bind(handle)
    const syncAndTell = async () => {
      await sync()
      disk.steps.push(`sync ${String(args[0])}`)
    }
    return Object.defineProperty(handle, 'sync', { value: syncAndTell })
  }
  const telling = (name: 'rename' | 'link' | 'unlink' | 'rmdir') => {
    const call = fs[name] as (...paths: unknown[]) => Promise<void>
    return async (...paths: unknown[]) => {
      if (name === 'rmdir' && !disk.mayRemoveFolders)
        throw Object.assign(new Error('denied'), { code: 'EACCES' })
      await call(...paths)
      disk.steps.push(`${name} ${paths.map(String).join(' ')}`)
    }
  }
  return {
    ...fs,
    open,
    rename: telling('rename'),
    link: telling('link'),
    unlink: telling('unlink'),
    rmdir: telling('rmdir'),
  }
})

const key = parseStorageKey
const small = Buffer.from('small')
const ID = /[\da-f]{8}-[\da-f-]{27}/g

/** Returns the steps of a call. Temporary files are called T. */
async function stepsOf(root: string, call: () => unknown): Promise<string[]> {
  disk.steps.length = 0
  await call()
  return disk.steps.map((step) =>
    step
      .replaceAll(`${root}/.dropleaf-tmp/`, '')
      .replaceAll(`${root}/`, '')
      .replaceAll(root, '.')
      .replaceAll(ID, 'T'),
  )
}

async function upload({ multipart }: StorageDriver): Promise<void> {
  if (!multipart) throw new Error('Local disk has multipart uploads.')
  const begun = await multipart.create(key('joined'))
  const part = await multipart.uploadPart(begun, 1, Readable.from([small]))
  await multipart.complete(begun, [part])
}

const CASES: ReadonlyArray<readonly [string, (driver: StorageDriver) => unknown, readonly string[]]> = [
  ['a write', (d) => d.write(key('a'), small), ['sync T', 'rename T a', 'sync .']],
  [
    'a stream into new folders',
    (d) => d.write(key('new/er/a'), Readable.from([Buffer.alloc(3_000_000)])),
    ['sync T', 'rename T new/er/a', 'sync new/er', 'sync .', 'sync new'],
  ],
  [
    'a write where nothing is yet',
    (d) => d.write(key('first'), small, { ifAbsent: true }),
    ['sync T', 'link T first', 'unlink T', 'sync .'],
  ],
  ['a copy', (d) => d.copy(key('tree/leaf'), key('copy')), ['sync T', 'rename T copy', 'sync .']],
  [
    'a move',
    (d) => d.move?.(key('tree/leaf'), key('moved')),
    ['rename tree/leaf moved', 'sync .', 'rmdir tree', 'sync .'],
  ],
  [
    'a move of a folder',
    (d) => d.moveFolder?.(parseFolderKey('tree/'), parseFolderKey('wood/')),
    ['rename tree wood', 'sync .', 'sync wood', 'sync .'],
  ],
  ['a removal', (d) => d.remove([key('tree/leaf')]), ['unlink tree/leaf', 'rmdir tree', 'sync .']],
  [
    'an upload in parts',
    upload,
    [
      'sync uploads/T/upload.json',
      'sync uploads/T',
      'sync uploads',
      'sync T',
      'rename T uploads/T/00001.part',
      'sync uploads/T',
      'sync T',
      'rename T joined',
      'sync .',
    ],
  ],
]

test.skipIf(sep === '\\').each(CASES)(
  '%s has ended when it is synced, bytes before names [disk]',
  async (_name, call, expected) => {
    await using disk_ = await temporaryDisk()
    await disk_.driver.write(key('tree/leaf'), small)
    expect(await stepsOf(disk_.root, () => call(disk_.driver))).toEqual(expected)
  },
)

test.skipIf(sep === '\\')(
  'a removal and a move are synced, and done, where their empty folder may not go [disk]',
  async () => {
    await using disk_ = await temporaryDisk()
    const { driver } = disk_
    disk.mayRemoveFolders = false
    onTestFinished(() => void (disk.mayRemoveFolders = true))
    await driver.write(key('tree/leaf'), small)
    expect(await stepsOf(disk_.root, () => driver.remove([key('tree/leaf')]))).toEqual([
      'unlink tree/leaf',
      'sync tree',
    ])
    await driver.write(key('tree/leaf'), small)
    const moved = () =>
      expect(driver.move?.(key('tree/leaf'), key('moved'))).resolves.toMatchObject({ key: 'moved' })
    expect(await stepsOf(disk_.root, moved)).toEqual(['rename tree/leaf moved', 'sync .', 'sync tree'])
  },
)

test('with FSYNC=never nothing is synced [disk]', async () => {
  await using disk_ = await temporaryDisk({ syncs: false })
  for (const [name, call] of CASES) {
    await disk_.driver.write(key('tree/leaf'), small)
    const steps = await stepsOf(disk_.root, () => call(disk_.driver))
    expect([name, steps.filter((step) => step.startsWith('sync'))]).toEqual([name, []])
  }
})
