import type { Bytes } from '../core/bytes.ts'

export interface PlainRange {
  readonly firstByte: number
  /** Not included. */
  readonly endByte: number
}

/** Random access to the bytes of a file that are encrypted. */
export interface PlainReader {
  readonly sizeBytes: number
  /** Returns exactly these bytes, in memory that nobody else changes. */
  read(range: PlainRange): Promise<Bytes>
  /** See `ByteSource` of the upload engine. Stays on the device. */
  readonly fingerprint?: () => Promise<string | null>
}
