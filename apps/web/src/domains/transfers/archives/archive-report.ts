import { ARCHIVE_REPORT_NAME } from '@dropleaf/contract'

/**
 * Reads the report of missing files. The report is the last entry of a streamed archive and is not compressed. Source
 * of the signatures: APPNOTE.TXT of the zip format, 4.3.7 and 4.3.9.
 */

/** Minimum number of bytes buffered from the end of a larger archive. */
const TAIL_BYTES = 512 * 1024
const LOCAL_HEADER = [0x50, 0x4b, 0x03, 0x04]
const DATA_DESCRIPTOR = [0x50, 0x4b, 0x07, 0x08]
const CENTRAL_HEADER = [0x50, 0x4b, 0x01, 0x02]
const HEADER_BYTES = 30
const NAME_LENGTH_AT = 26
const EXTRA_LENGTH_AT = 28

export function createTail(): { push: (chunk: Uint8Array) => void; bytes: () => Uint8Array } {
  let kept: Uint8Array[] = []
  let length = 0
  return {
    push(chunk) {
      kept.push(chunk)
      length += chunk.length
      while (length - (kept[0]?.length ?? 0) >= TAIL_BYTES) length -= kept.shift()?.length ?? 0
      // Copies the chunks. Views would retain their whole buffers in memory.
      if (kept.length > 64) kept = [joined(kept)]
    },
    bytes: () => joined(kept),
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

const startsWith = (bytes: Uint8Array, at: number, wanted: readonly number[]) =>
  wanted.every((byte, n) => bytes[at + n] === byte)

function findNext(bytes: Uint8Array, from: number, wanted: readonly number[]): number {
  for (let at = from; at <= bytes.length - wanted.length; at += 1)
    if (startsWith(bytes, at, wanted)) return at
  return -1
}

/**
 * Returns the lines of the report. Each line contains a path and an error. Returns an empty list if there is no
 * report.
 */
export function readReport(tail: Uint8Array): string[] {
  const directoryAt = findNext(tail, 0, CENTRAL_HEADER)
  const end = directoryAt === -1 ? tail.length : directoryAt
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength)
  const text = new TextDecoder()
  let last = -1
  for (
    let at = findNext(tail, 0, LOCAL_HEADER);
    at !== -1 && at < end;
    at = findNext(tail, at + 1, LOCAL_HEADER)
  )
    last = at
  if (last === -1 || last + HEADER_BYTES > end) return []
  const nameEnd = last + HEADER_BYTES + view.getUint16(last + NAME_LENGTH_AT, true)
  if (text.decode(tail.subarray(last + HEADER_BYTES, nameEnd)) !== ARCHIVE_REPORT_NAME) return []
  const from = nameEnd + view.getUint16(last + EXTRA_LENGTH_AT, true)
  const descriptorAt = findNext(tail, from, DATA_DESCRIPTOR)
  const to = descriptorAt === -1 ? end : Math.min(descriptorAt, end)
  const lines = text.decode(tail.subarray(from, to)).split('\n').filter(Boolean)
  // Checks the format of the lines, because a file in the archive can have the same name as the report.
  return lines.every((line) => /^\/.*: /.test(line)) ? lines : []
}
