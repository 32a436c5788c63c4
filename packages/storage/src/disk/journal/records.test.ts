import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  decodeHeader,
  decodeRecords,
  encodeHeader,
  encodeRecord,
  extraBytesOf,
  type JournalRecord,
  lastFiles,
} from './records.ts'

const header = { generation: 0xfeed_beef_cafe_f00dn }
const record = (sequence: number, path: string, o: Partial<JournalRecord> = {}): JournalRecord => ({
  kind: 'file',
  sequence,
  path,
  ino: 2n ** 63n,
  replacedIno: 7n,
  replacedMtimeNs: 9n,
  folderIno: 11n,
  mtimeNs: 1_796_000_000_123_456_789n,
  bytes: Buffer.from(`content of ${path}`),
  ...o,
})
const segmentOf = (records: readonly JournalRecord[], generation = header.generation): Buffer =>
  Buffer.concat([encodeHeader(header), ...records.flatMap((one) => encodeRecord(one, generation))])
const pathsOf = (records: readonly JournalRecord[]) => records.map(({ path }) => path)

describe('records of the journal', () => {
  test('come back as they were written, whatever their names and sizes', () => {
    const records = [
      record(1, 'a'),
      record(2, '文件/照片 😀.png', { bytes: randomBytes(10_240) }),
      record(3, 'empty', { bytes: Buffer.alloc(0) }),
      record(2 ** 40, 'gone', { kind: 'void', ino: 0n, bytes: Buffer.alloc(0) }),
    ]
    const segment = segmentOf(records)
    expect(decodeHeader(segment)).toEqual(header)
    const read = decodeRecords(Buffer.concat([segment, Buffer.alloc(5000)]), header)
    expect(read.map((one) => ({ ...one, bytes: Buffer.from(one.bytes) }))).toEqual(records)
    for (const one of records) {
      const sizeBytes = encodeRecord(one, 1n).reduce((total, piece) => total + piece.length, 0)
      expect(sizeBytes - one.bytes.length).toBeLessThanOrEqual(extraBytesOf(one.path))
    }
  })

  test('end at the first that is torn, wherever it is', () => {
    const whole = segmentOf([record(1, 'first')])
    const both = segmentOf([record(1, 'first'), record(2, 'second')])
    for (let at = whole.length; at < both.length; at += 1) {
      expect(pathsOf(decodeRecords(both.subarray(0, at), header))).toEqual(['first'])
      const torn = Buffer.from(both)
      torn[at] = (torn[at] ?? 0) ^ 0x41
      expect(pathsOf(decodeRecords(torn, header))).toEqual(['first'])
    }
  })

  test('that were there before it was emptied are none', () => {
    expect(decodeRecords(segmentOf([record(1, 'old')], 1n), header)).toEqual([])
  })

  test('are none without a header', () => {
    const segment = segmentOf([])
    for (const at of [0, 5, 9, 20, 500]) {
      const torn = Buffer.from(segment)
      torn[at] = (torn[at] ?? 0) ^ 1
      expect(decodeHeader(torn)).toBeNull()
    }
    expect(decodeHeader(Buffer.alloc(0))).toBeNull()
    expect(decodeHeader(Buffer.alloc(4096))).toBeNull()
  })

  test('count by their order, not by where they stand, and not when they were taken back', () => {
    const records = [
      record(5, 'twice', { ino: 5n }),
      record(6, 'folder/kept'),
      record(1, 'twice', { ino: 1n }),
      record(2, 'folder/gone'),
      record(3, 'folder-too'),
      record(4, 'folder', { kind: 'void' }),
      record(7, 'file'),
      record(8, 'file', { kind: 'void' }),
    ]
    const inodes = Object.fromEntries(lastFiles(records).map(({ path, ino }) => [path, ino]))
    const twice = lastFiles(records).find(({ path }) => path === 'twice')
    expect([...(twice?.versions.keys() ?? [])]).toEqual([7n, 1n, 5n])
    expect(inodes).toEqual({ twice: 5n, 'folder-too': 2n ** 63n, 'folder/kept': 2n ** 63n })
  })
})
