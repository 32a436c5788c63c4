import { lstat, mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'

/**
 * Writes a journal of small files in the format that servers used until November 2026. `old-journal/` contains a real
 * journal.
 */

export interface OldRecord {
  readonly kind: 'file' | 'void'
  readonly sequence: number
  readonly path: string
  readonly ino: bigint
  readonly mtimeNs: bigint
  readonly replacedIno: bigint
  readonly replacedMtimeNs: bigint
  readonly folderIno: bigint
  readonly bytes: Buffer
}

const GENERATION = 0xfeed_beef_cafe_f00dn

export function oldSegment(records: readonly OldRecord[], generation = GENERATION): Buffer {
  const header = Buffer.alloc(512)
  header.writeUInt32LE(0x4c46_4c45, 4)
  header.writeBigUInt64LE(generation, 8)
  header.writeUInt32LE(crc32(header.subarray(4)), 0)
  return Buffer.concat([header, ...records.map((record) => encode(record, generation))])
}

function encode(record: OldRecord, generation: bigint): Buffer {
  const path = Buffer.from(record.path)
  const head = Buffer.alloc(72)
  head.writeUInt32LE(head.length + path.length + record.bytes.length, 4)
  head.writeBigUInt64LE(generation, 8)
  head.writeUIntLE(record.sequence, 16, 6)
  head.writeUInt8(record.kind === 'file' ? 0 : 1, 22)
  head.writeUInt32LE(path.length, 24)
  head.writeBigUInt64LE(record.ino, 32)
  head.writeBigInt64LE(record.mtimeNs, 40)
  head.writeBigUInt64LE(record.replacedIno, 48)
  head.writeBigInt64LE(record.replacedMtimeNs, 56)
  head.writeBigUInt64LE(record.folderIno, 64)
  const whole = Buffer.concat([head, path, record.bytes])
  whole.writeUInt32LE(crc32(whole.subarray(4)), 0)
  return whole
}

/** Writes a segment as a server leaves it, with zeros after its records. */
export async function leaveSegment(root: string, at: number, segment: Buffer): Promise<void> {
  const folder = join(root, '.dropleaf-tmp/journal')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${at}.journal`), Buffer.concat([segment, Buffer.alloc(4096)]))
}

/** Does what an old server did to a folder, except for the journal, which is written on request. */
export function oldServer(root: string) {
  const records: OldRecord[] = []
  const nothing = { ino: 0n, mtimeNs: 0n, replacedIno: 0n, replacedMtimeNs: 0n, folderIno: 0n }
  return {
    records,
    async write(path: string, text: string): Promise<void> {
      const [target, temporary] = [join(root, path), join(root, 'temporary')]
      await mkdir(dirname(target), { recursive: true })
      await writeFile(temporary, text)
      const { ino, mtimeNs } = await lstat(temporary, { bigint: true })
      const before = await lstat(target, { bigint: true }).catch(() => null)
      records.push({
        kind: 'file',
        sequence: records.length + 1,
        path,
        ino,
        mtimeNs,
        replacedIno: before?.ino ?? 0n,
        replacedMtimeNs: before?.mtimeNs ?? 0n,
        folderIno: (await lstat(dirname(target), { bigint: true })).ino,
        bytes: Buffer.from(text),
      })
      await rename(temporary, target)
    },
    takeBack: (path: string) =>
      records.push({ ...nothing, kind: 'void', sequence: records.length + 1, path, bytes: Buffer.alloc(0) }),
    leaveJournal: () => leaveSegment(root, 0, oldSegment(records)),
  }
}
