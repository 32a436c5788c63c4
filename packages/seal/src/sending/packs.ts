import { MIB, SEALED_PACK_MAX_BYTES } from '@dropleaf/contract'
import { SealError } from '../core/errors.ts'
import type { PlainReader } from './plain-reader.ts'

/** Files smaller than this size share objects. */
export const PACKED_BELOW_BYTES = MIB

export interface PackedFile<File> {
  readonly file: File
  /** First byte of the file within its object. */
  readonly offset: number
}

/** An object to send: one file, or several small files in sequence. */
export interface ObjectPlan<File> {
  readonly files: readonly PackedFile<File>[]
  readonly sizeBytes: number
}

/**
 * Distributes files over objects. Many small files share one object, in the given order. So a folder of a thousand
 * pictures does not need a thousand uploads, and the storage does not see the size of each picture.
 */
export function planPacks<File extends { readonly sizeBytes: number }>(
  files: readonly File[],
): ObjectPlan<File>[] {
  const plans: ObjectPlan<File>[] = []
  let pack: { files: PackedFile<File>[]; sizeBytes: number } | null = null
  for (const file of files) {
    if (file.sizeBytes >= PACKED_BELOW_BYTES) {
      plans.push({ files: [{ file, offset: 0 }], sizeBytes: file.sizeBytes })
      continue
    }
    if (pack === null || pack.sizeBytes + file.sizeBytes > SEALED_PACK_MAX_BYTES) {
      pack = { files: [], sizeBytes: 0 }
      plans.push(pack)
    }
    pack.files.push({ file, offset: pack.sizeBytes })
    pack.sizeBytes += file.sizeBytes
  }
  return plans
}

/** Returns one fingerprint for all files; `null` if the fingerprint of a file is unknown. */
async function joinedFingerprint(readers: readonly PlainReader[]): Promise<string | null> {
  const all = await Promise.all(readers.map(async ({ fingerprint }) => (await fingerprint?.()) ?? null))
  return all.includes(null) ? null : JSON.stringify(all)
}

/** Reads several files in sequence, as if they were a single file. */
export function joinReaders(readers: readonly PlainReader[]): PlainReader {
  let sizeBytes = 0
  const places = readers.map((reader) => {
    const first = sizeBytes
    sizeBytes += reader.sizeBytes
    return { reader, first, end: sizeBytes }
  })
  return {
    sizeBytes,
    fingerprint: () => joinedFingerprint(readers),
    async read({ firstByte, endByte }) {
      const readFrom = async ({ reader, first, end }: (typeof places)[number]) => {
        const [from, to] = [Math.max(first, firstByte), Math.min(end, endByte)]
        const bytes = await reader.read({ firstByte: from - first, endByte: to - first })
        if (bytes.length !== to - from) throw new SealError('source.unreadable')
        return { bytes, at: from - firstByte }
      }
      const read = places.filter(({ first, end }) => first < endByte && end > firstByte)
      const [only] = read
      if (only && read.length === 1) return (await readFrom(only)).bytes
      const out = new Uint8Array(endByte - firstByte)
      for (const place of read) {
        const { bytes, at } = await readFrom(place)
        out.set(bytes, at)
      }
      return out
    },
  }
}
