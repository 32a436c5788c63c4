import type { Bytes } from '../core/bytes.ts'

export interface PlainRange {
  readonly firstByte: number
  /** Position after the last byte. */
  readonly endByte: number
}

/** Random access to the plain bytes of a file that is to be encrypted. */
export interface PlainReader {
  readonly sizeBytes: number
  /** Returns exactly the requested bytes, in memory that no other code changes. */
  read(range: PlainRange): Promise<Bytes>
  /** See `ByteSource` of the upload engine. The fingerprint is never sent. */
  readonly fingerprint?: () => Promise<string | null>
}
