/** Reads a range. The result is shorter at the end of the file. */
export type ReadPart = (firstByte: number, length: number) => Promise<Uint8Array>

/** A file that might be incomplete. */
export interface LookedAt {
  readonly head: Uint8Array
  readonly sizeBytes: number
  readonly read: ReadPart
  /** Reads the last 64 KiB, or the last `length` bytes. */
  readonly readEnd: (length?: number) => Promise<Uint8Array>
}

/** Returns whether the end of the file is missing. */
export type IsCut = (file: LookedAt) => boolean | Promise<boolean>

export const END_BYTES = 64 * 1024

export const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const textAt = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCodePoint(...bytes.subarray(from, from + length))

const startsAt = (bytes: Uint8Array, at: number, mark: readonly number[]) =>
  mark.every((byte, index) => bytes[at + index] === byte)

/** Returns the last position of a signature, or -1. */
export function lastPlaceOf(bytes: Uint8Array, mark: readonly number[]): number {
  for (let at = bytes.length - mark.length; at >= 0; at -= 1) if (startsAt(bytes, at, mark)) return at
  return -1
}

const TAG_BYTES = 128

/** Removes an ID3v1 tag from the end. */
export function withoutTag(end: Uint8Array): Uint8Array {
  const at = end.length - TAG_BYTES
  return at >= 0 && textAt(end, at, 3) === 'TAG' ? end.subarray(0, at) : end
}
