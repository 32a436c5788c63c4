import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseStorageKey } from '../../keys.ts'
import { createDiskDriver } from '../driver.ts'
import { fakeLinks } from '../testing/fake-links.ts'
import { notedIn } from '../testing/power-cut.ts'
import { isOnTrustedFileSystem } from './file-system.ts'
import { openJournal } from './journal.ts'

/** The program `sync`, which may fail; and writes of the journal, which may, too. */
const system = vi.hoisted(() => ({
  canSync: true,
  canWriteJournal: true,
  hasSync: true,
  threads: [] as Worker[],
  syncs: 0,
  whileSyncing: (): void => undefined,
}))

vi.mock(import('node:worker_threads'), async (importOriginal) => {
  const threads = await importOriginal()
  class Worker extends threads.Worker {
    constructor(...args: ConstructorParameters<typeof threads.Worker>) {
      super(...args)
      system.threads.push(this)
    }
  }
  return { ...threads, Worker }
})

vi.mock('node:child_process', () => ({
  execFile: (_file: string, _args: unknown, _o: unknown, done: (error: Error | null) => void) => {
    system.syncs += 1
    system.whileSyncing()
    setImmediate(() => done(system.canSync ? null : new Error('sync: failed')))
  },
  execFileSync: () => {
    system.syncs += 1
    if (!system.canSync) throw new Error('sync: failed')
  },
}))

vi.mock(import('node:fs'), async (importOriginal) => {
  const fs = await importOriginal()
  const refusing = <T extends 'fdatasyncSync' | 'writeSync'>(name: T) =>
    Object.assign((...args: unknown[]) => {
      if (!system.canWriteJournal) throw Object.assign(new Error('EIO'), { code: 'EIO' })
      return Reflect.apply(fs[name], fs, args) as number
    }, fs[name]) as (typeof fs)[T]
  return { ...fs, fdatasyncSync: refusing('fdatasyncSync'), writeSync: refusing('writeSync') }
})

vi.mock(import('node:fs/promises'), async (importOriginal) => {
  const fs = await importOriginal()
  const access: typeof fs.access = (path, mode) =>
    path === '/bin/sync' && !system.hasSync ? Promise.reject(new Error('ENOENT')) : fs.access(path, mode)
  return { ...fs, access }
})

let base = ''
let root = ''

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'dropleaf-journal-'))
  root = join(base, 'root')
  mkdirSync(join(root, '.dropleaf-tmp'), { recursive: true })
  Object.assign(system, {
    canSync: true,
    canWriteJournal: true,
    hasSync: true,
    syncs: 0,
    whileSyncing: () => undefined,
  })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const open = () => openJournal({ root, folder: join(root, '.dropleaf-tmp/journal') })
const paths = async () => (await notedIn(root)).map(({ path }) => path)

/** As a small file is stored. */
function store(journal: ReturnType<typeof open>, name: string, text: string): boolean {
  const target = join(root, name)
  const temporary = join(root, '.dropleaf-tmp/new')
  writeFileSync(temporary, text)
  const { ino, mtimeNs, size } = statSync(temporary, { bigint: true })
  const before = statSync(target, { bigint: true, throwIfNoEntry: false })
  const replaced = { replacedIno: before?.ino ?? 0n, replacedMtimeNs: before?.mtimeNs ?? 0n }
  try {
    const isNoted = journal.note([
      { target, stats: { ino, mtimeNs, size }, ...replaced, folderIno: 0n, bytes: Buffer.from(text) },
    ])
    renameSync(temporary, target)
    return isNoted
  } finally {
    rmSync(temporary, { force: true })
  }
}

describe('a journal when the system refuses [disk]', () => {
  test('what others have moved keeps the journal until everything is on the medium', async () => {
    const journal = open()
    store(journal, 'a', 'first')
    renameSync(join(root, 'a'), join(root, 'moved'))
    store(journal, 'a', 'second')
    system.canSync = false
    await expect(journal.flush()).rejects.toThrow('cannot be synced')
    await expect(journal.flush()).rejects.toThrow('cannot be synced')
    expect(() => journal.settle(join(root, 'a'))).toThrow('cannot be synced')
    expect(await paths()).toEqual(['a'])
    system.canSync = true
    await journal.flush()
    expect(await paths()).toEqual([])
    expect(journal.isEmpty).toBe(true)
    const { syncs } = system
    store(journal, 'a', 'third')
    await journal.flush()
    expect(system.syncs).toBe(syncs)
  })

  test('what others move while everything is synced is synced with the next files', async () => {
    const journal = open()
    for (const name of ['a', 'b']) {
      store(journal, name, 'first')
      renameSync(join(root, name), join(root, `moved-${name}`))
    }
    store(journal, 'a', 'second')
    system.whileSyncing = () => {
      system.whileSyncing = () => undefined
      store(journal, 'b', 'second')
    }
    await journal.flush()
    expect(system.syncs).toBe(2)
  })

  test('what is settled stays in the journal while what others have moved cannot be synced', async () => {
    const journal = open()
    store(journal, 'a', 'a')
    renameSync(join(root, 'a'), join(root, 'moved'))
    system.canSync = false
    expect(() => journal.settle(join(root, 'a'))).toThrow('cannot be synced')
    expect(await paths()).toEqual(['a'])
    system.canSync = true
    journal.settle(join(root, 'a'))
    expect(await paths()).toEqual([])
  })

  test('what could not be noted, nor be taken back at once, is gone before anything is changed', async () => {
    const journal = open()
    store(journal, 'a', 'a')
    await journal.flush()
    system.canWriteJournal = false
    expect(() => store(journal, 'a', 'refused')).toThrow('EIO')
    expect(journal.isEmpty).toBe(false)
    expect(await paths()).toEqual(['a'])
    journal.settle(join(root, 'a'))
    expect(await paths()).toEqual([])
  })

  test('a part that could not be emptied makes way for a new one', async () => {
    const journal = open()
    store(journal, 'a', 'a')
    system.canWriteJournal = false
    await expect(journal.flush()).rejects.toThrow('EIO')
    system.canWriteJournal = true
    expect(store(journal, 'b', 'b')).toBe(true)
    expect(await paths()).toEqual(['b'])
    await journal.flush()
    journal.close()
    expect(readdirSync(join(root, '.dropleaf-tmp/journal'))).toEqual([])
  })

  test('there is none where the program that syncs everything is missing', async () => {
    system.hasSync = false
    expect(await isOnTrustedFileSystem(root)).toBe(false)
  })

  test('nothing is changed that a journal could bring back whose thread broke down', async () => {
    const driver = await createDiskDriver({ root, links: fakeLinks, keepsJournal: true })
    const [a, b] = [parseStorageKey('a'), parseStorageKey('b')]
    await driver.write(a, Buffer.from('a'))
    if ((await paths()).length === 0) return
    system.canSync = false
    await Promise.all(system.threads.map((thread) => thread.terminate()))
    await driver.write(b, Buffer.from('b'))
    const { failed } = await driver.remove([a])
    expect(failed.map(({ key }) => key)).toEqual([a])
    expect(await driver.stat(a)).not.toBeNull()
    expect(await paths()).toEqual(['a'])
    system.canSync = true
    expect((await driver.remove([a])).failed).toEqual([])
    expect(await paths()).toEqual([])
    await driver.write(b, Buffer.from('b again'))
    expect(await paths()).toEqual(['b'])
    await driver.close()
  })
})
