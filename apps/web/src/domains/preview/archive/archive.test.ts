import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import type { PreviewSource } from '../preview-source.ts'
import { archiveRows, openAtFirst, toArchiveTree } from './archive-tree.ts'
import { listGzip, listPlainTar } from './tar.ts'
import { listZip, openZip } from './zip.ts'

/** Creates a server for ranges of a file. The server counts the bytes that it sends. */
function serve(bytes: Uint8Array, name: string) {
  const read = { bytes: 0 }
  vi.stubGlobal('fetch', (_url: string, { headers }: { headers: Record<string, string> }) => {
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(headers['Range'] ?? '') ?? []
    const part = first === undefined ? bytes : bytes.subarray(Number(first), Number(last) + 1)
    read.bytes += part.length
    return Promise.resolve(new Response(new Uint8Array(part), { status: first === undefined ? 200 : 206 }))
  })
  const source: PreviewSource = { name, sizeBytes: bytes.length, url: '/', textUrl: '/' }
  return { source, read }
}
afterEach(() => vi.unstubAllGlobals())

const signal = new AbortController().signal
const u16 = (value: number) => [value & 255, value >> 8]
const u32 = (value: number) => [...u16(value & 0xff_ff), ...u16(value >>> 16)]
const u64 = (value: number) => [...u32(value), ...u32(0)]

interface ZipFile {
  name: Uint8Array
  flags?: number
  extra?: number[]
  sizes?: number[]
  /** DEFLATE-compressed content of the first file. */
  packed?: Uint8Array
}

/**
 * Creates a zip archive whose directory starts after a million bytes. All entries refer to the file at the start, which
 * has three stored bytes, or the `packed` content.
 */
function makeZip(files: readonly ZipFile[], { isWide = false } = {}): Uint8Array {
  const before = 1_000_000
  const directory = files.flatMap(({ name, flags = 0, extra = [], sizes = u32(3), packed }) => [
    ...u32(0x02_01_4b_50),
    ...u16(20),
    ...u16(20),
    ...u16(flags),
    ...u16(packed ? 8 : 0),
    ...u16((9 << 11) | (30 << 5)),
    ...u16((46 << 9) | (11 << 5) | 22),
    ...u32(0),
    ...u32(packed?.length ?? 3),
    ...sizes,
    ...u16(name.length),
    ...u16(extra.length),
    ...u16(0),
    ...u16(0),
    ...u16(0),
    ...u32(0),
    ...u32(0),
    ...name,
    ...extra,
  ])
  const wide = [
    ...u32(0x06_06_4b_50),
    ...u64(44),
    ...u16(45),
    ...u16(45),
    ...u32(0),
    ...u32(0),
    ...u64(files.length),
    ...u64(files.length),
    ...u64(directory.length),
    ...u64(before),
    ...u32(0x07_06_4b_50),
    ...u32(0),
    ...u64(before + directory.length),
    ...u32(1),
  ]
  const end = [
    ...u32(0x06_05_4b_50),
    ...u32(0),
    ...u16(isWide ? 0xff_ff : files.length),
    ...u16(isWide ? 0xff_ff : files.length),
    ...u32(isWide ? 0xff_ff_ff_ff : directory.length),
    ...u32(isWide ? 0xff_ff_ff_ff : before),
    ...u16(5),
    ...Buffer.from('hello'),
  ]
  const head = [
    ...u32(0x04_03_4b_50),
    ...Array.from({ length: 22 }, () => 0),
    ...u16(1),
    ...u16(0),
    65,
    1,
    2,
    3,
  ]
  const tail = [...directory, ...(isWide ? wide : []), ...end]
  const bytes = new Uint8Array(before + tail.length)
  bytes.set(head)
  if (files[0]?.packed) bytes.set(files[0].packed, 31)
  bytes.set(tail, before)
  return bytes
}

const name = (text: string) => Uint8Array.from(Buffer.from(text))

test('a zip is listed by its directory, without reading the files', async () => {
  const { source, read } = serve(
    makeZip([
      { name: name('a/') },
      { name: name('a/b.txt') },
      { name: name('密.txt'), flags: (1 << 11) | 1 },
    ]),
    'x.zip',
  )
  const { entries, isComplete } = await listZip(source, signal)
  expect(isComplete).toBe(true)
  expect(entries.map(({ path, isFolder, isEncrypted }) => [path, isFolder, isEncrypted])).toEqual([
    ['a', true, false],
    ['a/b.txt', false, false],
    ['密.txt', false, true],
  ])
  expect(new Date(entries[1]?.modifiedAtMs ?? 0).getFullYear()).toBe(2026)
  expect(read.bytes).toBeLessThan(70_000)
  const zip = await openZip(source, signal)
  expect([...((await zip.read('a/b.txt', 10)) ?? [])]).toEqual([1, 2, 3])
  expect(await zip.read('none', 10)).toBeUndefined()
  await expect(zip.read('密.txt', 10)).rejects.toThrow('encrypted')
  await expect(zip.read('a/b.txt', 2)).rejects.toThrow('too_large')
})

test('large zips have their offsets in separate 64-bit fields', async () => {
  const extra = [...u16(1), ...u16(8), ...u64(5_000_000_000 % 2 ** 32)]
  const files = [{ name: name('big'), extra, sizes: u32(0xff_ff_ff_ff) }]
  const { source } = serve(makeZip(files, { isWide: true }), 'x.zip')
  const { entries } = await listZip(source, signal)
  expect(entries[0]?.sizeBytes).toBe(5_000_000_000 % 2 ** 32)
})

test('the encoding of names is detected from all names together', async () => {
  const gbk = Uint8Array.from(Buffer.from('d6d0cec4cec4bcfec3fbb3c62e747874', 'hex'))
  const { source } = serve(makeZip([{ name: gbk }]), 'x.zip')
  expect((await listZip(source, signal)).entries[0]?.path).toBe('中文文件名称.txt')
})

test('if the start of an archive is missing, the list is shown and its files are damaged', async () => {
  const { source } = serve(makeZip([{ name: name('a') }]).subarray(999_990), 'x.zip')
  expect((await listZip(source, signal)).entries).toMatchObject([{ path: 'a' }])
  await expect((await openZip(source, signal)).read('a', 10)).rejects.toThrow('damaged')
})

test('a file that is larger than it says is not unpacked', async () => {
  const packed = deflateRawSync(Buffer.alloc(5_000_000))
  const zip = makeZip([{ name: name('a'), packed }])
  const { source } = serve(zip, 'x.zip')
  await expect((await openZip(source, signal)).read('a', 100_000)).rejects.toThrow('damaged')
})

test('a file that is not a zip, or is truncated, is damaged', async () => {
  const whole = makeZip([{ name: name('a') }])
  for (const bytes of [whole.subarray(0, whole.length - 40), name('no zip at all')]) {
    const { source } = serve(bytes, 'x.zip')
    await expect(listZip(source, signal)).rejects.toThrow('damaged')
  }
})

function tarHeader(path: string, sizeBytes: number, type = '0'): Buffer {
  const block = Buffer.alloc(512)
  block.write(path, 0)
  block.write(`${sizeBytes.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000001\0', 136)
  block.write('        ', 148)
  block.write(type, 156)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

const LONG = 'folder/'.repeat(30)
const record = `${LONG.length + 11} path=${LONG}x\n`
const TAR = Buffer.concat([
  tarHeader('./', 0, '5'),
  tarHeader('./a/', 0, '5'),
  tarHeader('./a/b', 5_000_000),
  Buffer.alloc(Math.ceil(5_000_000 / 512) * 512),
  tarHeader('pax', record.length, 'x'),
  Buffer.concat([Buffer.from(record), Buffer.alloc(512 - (record.length % 512))]),
  tarHeader('short', 0),
  Buffer.alloc(1024),
])

test('a tar is listed by its headers, without reading the files between them', async () => {
  const { source, read } = serve(TAR, 'x.tar')
  const { entries, isComplete } = await listPlainTar(source, signal)
  expect(isComplete).toBe(true)
  expect(entries.map(({ path, isFolder, sizeBytes }) => [path, isFolder, sizeBytes])).toEqual([
    ['a', true, 0],
    ['a/b', false, 5_000_000],
    [`${LONG}x`, false, 0],
  ])
  expect(read.bytes).toBeLessThan(600_000)
})

test('a tar of many large files is listed in several steps of limited duration', async () => {
  const body = Buffer.alloc(300 * 1024)
  const one = (count: number) => Buffer.concat([tarHeader(`photo ${count}`, body.length), body])
  const tar = Buffer.concat([...Array.from({ length: 250 }, (_, count) => one(count)), Buffer.alloc(1024)])
  const { source, read } = serve(tar, 'photos.tar')
  const first = await listPlainTar(source, signal)
  expect([first.entries.length, first.isComplete]).toEqual([200, false])
  const all = await first.readOn?.(signal)
  expect([all?.entries.length, all?.isComplete, all?.readOn]).toEqual([250, true, undefined])
  expect(all?.entries.map(({ path }) => path)).toEqual(
    Array.from({ length: 250 }, (_, count) => `photo ${count}`),
  )
  expect(read.bytes).toBeLessThan(4_000_000)
})

test('a compressed tar is listed while it is read; a compressed file is one entry', async () => {
  const tar = serve(gzipSync(TAR), 'x.tar.gz')
  expect((await listGzip(tar.source, signal)).entries).toHaveLength(3)
  const single = serve(gzipSync('some words'), 'notes.txt.gz')
  expect((await listGzip(single.source, signal)).entries).toMatchObject([
    { path: 'notes.txt', sizeBytes: 10 },
  ])
  const cut = serve(gzipSync(TAR).subarray(0, 400), 'x.tgz')
  await expect(listGzip(cut.source, signal)).rejects.toThrow()
  const packed = gzipSync(name('some words, again and again. '.repeat(90)))
  const cutSingle = serve(packed.subarray(0, -9), 'notes.txt.gz')
  await expect(listGzip(cutSingle.source, signal)).rejects.toThrow()
})

test('a tar that ends too early is damaged', async () => {
  const { source } = serve(TAR.subarray(0, 3_000_000), 'x.tar')
  await expect(listPlainTar(source, signal)).rejects.toThrow('damaged')
  const other = serve(name('no tar'.repeat(200)), 'x.tar')
  await expect(listPlainTar(other.source, signal)).rejects.toThrow('damaged')
})

test('folders are derived from their files, listed first, and can be opened', () => {
  const entry = (path: string, isFolder = false) => ({
    path,
    isFolder,
    sizeBytes: isFolder ? 0 : 2,
    modifiedAtMs: null,
    isEncrypted: false,
  })
  const root = toArchiveTree([entry('top/z10'), entry('top/z9'), entry('top/in/x'), entry('top', true)])
  const open = openAtFirst(root)
  expect(
    archiveRows(root, open).map(({ depth, node, isOpen }) => [depth, node.name, node.sizeBytes, isOpen]),
  ).toEqual([
    [0, 'top', 6, true],
    [1, 'in', 2, false],
    [1, 'z9', 2, null],
    [1, 'z10', 2, null],
  ])
})

test('a path that leads out of an archive is shown unchanged', () => {
  const entry = (path: string) => ({
    path,
    isFolder: false,
    sizeBytes: 2,
    modifiedAtMs: null,
    isEncrypted: false,
  })
  const paths = ['../../etc/passwd', '/etc/hosts', 'C:\\x.txt', 'a/../b']
  const root = toArchiveTree([...paths.map(entry), entry('a..b/.c')])
  const nodes = [...root.children.values()]
  expect(nodes.filter(({ isUnusual }) => isUnusual).map(({ name }) => name)).toEqual(paths)
  expect(nodes.filter(({ isUnusual }) => !isUnusual).map(({ name }) => name)).toEqual(['a..b'])
})
