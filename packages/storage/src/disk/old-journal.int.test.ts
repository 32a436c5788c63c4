import {
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseStorageKey } from '../keys.ts'
import { createDiskDriver } from './driver.ts'
import type { TakenOver } from './old-journal.ts'
import { fakeLinks } from './testing/fake-links.ts'
import { leaveSegment, oldSegment, oldServer, type OldRecord } from './testing/old-journal.ts'

const FIXTURE = join(import.meta.dirname, 'testing/old-journal')
/** Path in the last record. The server was killed after writing the record and before acknowledging it. */
const LAST = 'busy/14'

const segments = await Promise.all([0, 1].map((at) => readFile(join(FIXTURE, `${at}.journal`))))
const acknowledged = JSON.parse(await readFile(join(FIXTURE, 'acknowledged.json'), 'utf8')) as Record<
  string,
  string
>

async function openFolder() {
  const base = await mkdtemp(join(tmpdir(), 'dropleaf-old-'))
  const root = join(base, 'root')
  await mkdir(join(root, '.dropleaf-tmp/uploads'), { recursive: true })
  const told: TakenOver[] = []
  return {
    root,
    base,
    told,
    start: (o: { syncs?: boolean } = {}) =>
      createDiskDriver({ root, links: fakeLinks, onTakenOver: (files) => told.push(files), ...o }),
    [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }),
  }
}

async function contentsOf(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((one) => one.isFile() && !one.parentPath.includes('.dropleaf-tmp'))
  const contents = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name)
    return [path.slice(root.length + 1), await readFile(path, 'utf8')] as const
  })
  return Object.fromEntries(await Promise.all(contents))
}

async function versionsOf(root: string): Promise<Record<string, string>> {
  const versions = Object.keys(await contentsOf(root)).map(async (path) => {
    const { ino, mtimeNs } = await lstat(join(root, path), { bigint: true })
    return [path, `${ino} ${mtimeNs}`] as const
  })
  return Object.fromEntries(await Promise.all(versions))
}

/** Creates files that the old server had fsynced, so that its journal contains no record of them. */
async function layOut(root: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), acknowledged[path] ?? '')
  }
}

const NOT_NOTED = ['文件/照片 😀.txt', 'to', 'wood/a', 'marked/.dropleaf-folder', 'busy/0']

/** Parses a record of the old server independently of the code under test. */
function recordAt(segment: Buffer, at: number): { record: OldRecord; sizeBytes: number } {
  const sizeBytes = segment.readUInt32LE(at + 4)
  const bytesFrom = at + 72 + segment.readUInt32LE(at + 24)
  return {
    sizeBytes,
    record: {
      kind: segment.readUInt8(at + 22) === 0 ? 'file' : 'void',
      sequence: segment.readUInt32LE(at + 16),
      path: segment.toString('utf8', at + 72, bytesFrom),
      ino: segment.readBigUInt64LE(at + 32),
      mtimeNs: segment.readBigInt64LE(at + 40),
      replacedIno: segment.readBigUInt64LE(at + 48),
      replacedMtimeNs: segment.readBigInt64LE(at + 56),
      folderIno: segment.readBigUInt64LE(at + 64),
      bytes: segment.subarray(bytesFrom, at + sizeBytes),
    },
  }
}

describe('a folder left by a killed old server, with its journal [disk]', () => {
  const [empty = Buffer.alloc(0), full = Buffer.alloc(0)] = segments
  const leave = async (root: string, last = full) => {
    await leaveSegment(root, 0, empty)
    await leaveSegment(root, 1, last)
  }

  test.each([true, false])(
    'every acknowledged file exists after the first start, fsynced: %s',
    async (syncs) => {
      await using folder = await openFolder()
      await layOut(folder.root, NOT_NOTED)
      await leave(folder.root)
      await writeFile(join(folder.root, '.dropleaf-tmp/left-by-the-kill'), acknowledged[LAST] ?? '')
      const driver = await folder.start({ syncs })
      expect(await contentsOf(folder.root)).toEqual({ ...acknowledged, [LAST]: 'busy 14 '.repeat(5) })
      expect(folder.told).toEqual([{ restored: 17, left: [], keptIn: null }])
      expect((await driver.stat(parseStorageKey('notes.txt')))?.modifiedAtMs).toBe(
        Math.floor(Number(recordAt(full, 512 + 72 + 9 + 5).record.mtimeNs / 1_000_000n)),
      )
      expect(await readdir(join(folder.root, '.dropleaf-tmp'))).toEqual(['left-by-the-kill', 'uploads'])
    },
  )

  test('existing files stay unchanged, and a second start has nothing to do', async () => {
    await using folder = await openFolder()
    await layOut(folder.root, Object.keys(acknowledged))
    await leave(folder.root)
    const before = await versionsOf(folder.root)
    await folder.start()
    const after = await versionsOf(folder.root)
    expect(after).toEqual({ ...before, [LAST]: expect.any(String) })
    expect(folder.told).toEqual([{ restored: 1, left: [], keptIn: null }])
    await folder.start()
    expect(await versionsOf(folder.root)).toEqual(after)
    expect(folder.told).toHaveLength(1)
  })

  test('a torn last record does not affect earlier ones', async () => {
    const from = full.length - recordAt(full, full.lastIndexOf('busy/14') - 72).sizeBytes
    const flipped = Buffer.from(full)
    flipped[full.length - 3] = 0
    for (const torn of [
      full.subarray(0, -1),
      full.subarray(0, from + 72),
      full.subarray(0, from + 5),
      flipped,
    ]) {
      await using folder = await openFolder()
      await layOut(folder.root, NOT_NOTED)
      await leave(folder.root, torn)
      await folder.start()
      expect(await contentsOf(folder.root)).toEqual(acknowledged)
    }
  })

  test.each([
    ['its bytes', (at: number, sizeBytes: number) => at + sizeBytes - 1],
    ['its size', (at: number) => at + 6],
    ['its generation', (at: number) => at + 9],
  ])('a damaged record (%s) keeps the journal, and all others are restored', async (_name, byteAt) => {
    const from = full.indexOf('busy/3') - 72
    const damaged = Buffer.from(full)
    const at = byteAt(from, recordAt(full, from).sizeBytes)
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at)
    await using folder = await openFolder()
    await layOut(folder.root, NOT_NOTED)
    await leave(folder.root, damaged)
    await folder.start()
    const { 'busy/3': lost, ...others } = acknowledged
    expect(lost).toBeDefined()
    expect(await contentsOf(folder.root)).toEqual({ ...others, [LAST]: 'busy 14 '.repeat(5) })
    const keptIn = expect.stringContaining('/.dropleaf-tmp/journal-not-restored-')
    expect(folder.told).toEqual([{ restored: 16, left: [], keptIn }])
    const kept = await readFile(join(folder.told[0]?.keptIn ?? '', '1.journal'))
    expect(kept.subarray(0, damaged.length).equals(damaged)).toBe(true)
    await folder.start()
    expect(folder.told).toHaveLength(1)
  })

  test('a journal with a damaged header is kept and reported', async () => {
    const damaged = Buffer.from(full)
    damaged.writeUInt8(damaged.readUInt8(9) ^ 1, 9)
    await using folder = await openFolder()
    await leave(folder.root, damaged)
    await folder.start()
    expect(await contentsOf(folder.root)).toEqual({})
    const keptIn = expect.stringContaining('/.dropleaf-tmp/journal-not-restored-')
    expect(folder.told).toEqual([{ restored: 0, left: [], keptIn }])
  })

  test('records that a damaged file contains are not restored', async () => {
    await using folder = await openFolder()
    const server = oldServer(folder.root)
    for (const path of ['inner', 'outer', 'last']) await server.write(path, path)
    const [inner, outer, last] = server.records
    if (!inner || !outer || !last) throw new Error('Three were written.')
    const bytes = oldSegment([{ ...inner, bytes: Buffer.from('of the file') }]).subarray(512)
    const segment = oldSegment([{ ...outer, bytes }, last])
    segment.writeUInt8(0xff, 512 + 40)
    await leaveSegment(folder.root, 0, segment)
    for (const path of ['inner', 'outer', 'last']) await rm(join(folder.root, path))
    await folder.start()
    expect(await contentsOf(folder.root)).toEqual({ last: 'last' })
  })

  test('the tests write the same bytes as that server', () => {
    const records: OldRecord[] = []
    for (let at = 512; at < full.length;) {
      const { record, sizeBytes } = recordAt(full, at)
      records.push(record)
      at += sizeBytes
    }
    expect(oldSegment(records, full.readBigUInt64LE(8)).equals(full)).toBe(true)
    expect(oldSegment([], empty.readBigUInt64LE(8)).equals(empty)).toBe(true)
  })
})

interface Place {
  readonly path: string
  readonly mtimeS: number
  /** Path of the previous version of the file. */
  readonly before: string
}

/** The states in which a power cut leaves a file that was never fsynced. */
const DAMAGES: ReadonlyArray<readonly [string, (place: Place) => Promise<void>]> = [
  ['not there', ({ path }) => rm(path, { force: true })],
  ['without its folder', ({ path }) => rm(dirname(path), { recursive: true, force: true })],
  [
    'empty',
    async ({ path, mtimeS }) => {
      await truncate(path, 0)
      await utimes(path, mtimeS - 1, mtimeS - 1)
    },
  ],
  ['empty with its time', ({ path, mtimeS }) => truncate(path, 0).then(() => utimes(path, mtimeS, mtimeS))],
  ['the version before', ({ path, before }) => rename(before, path)],
  [
    'zeros',
    async ({ path, mtimeS }) => {
      await writeFile(path, Buffer.alloc((await readFile(path)).length))
      await utimes(path, mtimeS - 1, mtimeS - 1)
    },
  ],
  ['as it was', () => Promise.resolve()],
]

describe('an old journal after a power cut [disk]', () => {
  test.each(DAMAGES)('a file that is %s is restored', async (_name, damage) => {
    await using folder = await openFolder()
    const server = oldServer(folder.root)
    const before = join(folder.base, 'before')
    const path = '文件夹/a b#%😀.txt'
    await server.write(path, 'before')
    // Sets a future modification time, because the modification time of a file does not prove its age.
    const future = Date.now() / 1000 + 3600
    await utimes(join(folder.root, path), future, future)
    await link(join(folder.root, path), before)
    await server.write(path, 'acknowledged')
    await server.write('other', 'other')
    await server.leaveJournal()
    const mtimeS = Number(server.records[1]?.mtimeNs ?? 0n) / 1e9
    await damage({ path: join(folder.root, path), mtimeS, before })
    await folder.start()
    expect(await contentsOf(folder.root)).toEqual({ [path]: 'acknowledged', other: 'other' })
    expect(await readdir(join(folder.root, '.dropleaf-tmp'))).toEqual(['uploads'])
  })

  test('a file whose earlier move was undone by the power cut is replaced by the acknowledged one', async () => {
    await using folder = await openFolder()
    const server = oldServer(folder.root)
    await writeFile(join(folder.root, 'name'), 'old')
    const written = await lstat(join(folder.root, 'name'), { bigint: true })
    await server.write('other', 'other')
    await rename(join(folder.root, 'name'), join(folder.base, 'moved'))
    await server.write('name', 'acknowledged')
    const [other, name] = server.records
    if (!other || !name) throw new Error('Two were written.')
    // The power cut undid the move, including its change of the timestamp.
    const later = { ...name, mtimeNs: written.ctimeNs + 1_000_000_000_000n }
    await rename(join(folder.base, 'moved'), join(folder.root, 'name'))
    await leaveSegment(folder.root, 1, oldSegment([other, later]))
    await folder.start()
    expect(await contentsOf(folder.root)).toEqual({ name: 'acknowledged', other: 'other' })
  })

  test('a revoked file stays removed, whichever part of the journal revokes it', async () => {
    await using folder = await openFolder()
    const server = oldServer(folder.root)
    for (const path of ['gone', 'tree/a', 'tree/deep/b', 'tree-too']) await server.write(path, path)
    server.takeBack('gone')
    server.takeBack('tree')
    await leaveSegment(folder.root, 0, oldSegment(server.records.slice(4)))
    await leaveSegment(folder.root, 1, oldSegment(server.records.slice(0, 4)))
    for (const path of ['gone', 'tree', 'tree-too']) await rm(join(folder.root, path), { recursive: true })
    await folder.start()
    expect(await contentsOf(folder.root)).toEqual({ 'tree-too': 'tree-too' })
  })

  test('files of other programs stay, nothing is written through a link, and a blocked file does not block others', async () => {
    await using folder = await openFolder()
    const { root, base } = folder
    const server = oldServer(root)
    for (const path of ['edited', 'replaced', 'kept', 'folder', 'in/the/way', 'linked/a', '../climbed'])
      await server.write(path, path)
    await server.leaveJournal()
    await rm(join(base, 'climbed'))
    const later = Date.now() / 1000 + 5
    await writeFile(join(root, 'edited'), 'by hand')
    await utimes(join(root, 'edited'), later, later)
    await writeFile(join(root, 'new'), 'by hand')
    await utimes(join(root, 'new'), later, later)
    await rename(join(root, 'new'), join(root, 'replaced'))
    await rm(join(root, 'folder'))
    await mkdir(join(root, 'folder'))
    await rm(join(root, 'in'), { recursive: true })
    await writeFile(join(root, 'in'), 'by hand')
    await rm(join(root, 'linked'), { recursive: true })
    await mkdir(join(base, 'outside'))
    await symlink(join(base, 'outside'), join(root, 'linked'))
    await folder.start()
    expect(await contentsOf(root)).toEqual({
      edited: 'by hand',
      in: 'by hand',
      kept: 'kept',
      replaced: 'by hand',
    })
    expect(await readdir(base)).toEqual(['outside', 'root'])
    expect(await readdir(join(base, 'outside'))).toEqual([])
    // The journal is kept, because only the journal contains these bytes. It is not read again, and not swept.
    const kept = (await readdir(join(root, '.dropleaf-tmp'))).find((name) => name.startsWith('journal-'))
    const keptIn = join(root, '.dropleaf-tmp', kept ?? '')
    expect(folder.told).toEqual([{ restored: 0, left: expect.any(Array), keptIn }])
    expect(folder.told[0]?.left).toHaveLength(4)
    const driver = await folder.start()
    expect(folder.told).toHaveLength(1)
    expect(await driver.sweepTemporary({ olderThanMs: 0 })).toMatchObject({ files: 0 })
    expect(await readdir(keptIn)).toHaveLength(1)
  })

  test('drivers that start together find all files, and restore nothing that one of them has removed', async () => {
    await using folder = await openFolder()
    const server = oldServer(folder.root)
    const names = ['a', 'b', 'c']
    for (const path of names) await server.write(path, path)
    await server.leaveJournal()
    for (const path of names) await rm(join(folder.root, path))
    const first = folder.start().then((driver) => driver.remove([parseStorageKey('b')]))
    await Promise.all([first, folder.start(), folder.start()])
    expect(await contentsOf(folder.root)).toEqual({ a: 'a', c: 'c' })
    expect(folder.told).toEqual([{ restored: 3, left: [], keptIn: null }])
  })
})
