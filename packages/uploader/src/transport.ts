/** Source of the bytes. `Body` is the type that the transport sends. */
export interface ByteSource<Body> {
  readonly sizeBytes: number
  /** Returns the bytes from `firstByte` up to, but not including, `endByte`. */
  slice(firstByte: number, endByte: number): Body | Promise<Body>
  /**
   * Returns a text that identifies the contents of the file, or `null` if it cannot be computed here. Absent if the
   * user never has to choose the file again.
   */
  readonly fingerprint?: () => Promise<string | null>
}

/** How a file is divided. Every part except the last has `partSizeBytes`. */
export interface PartPlan {
  readonly partSizeBytes: number
  readonly partCount: number
}

/** Signed URLs, keyed by part number; empty if none are needed. */
export type Addresses = ReadonlyMap<number, string>

export interface Begun {
  /** Upload ID for later calls; `null` if the server stores nothing before the bytes arrive. */
  readonly id: string | null
  readonly plan: PartPlan
  readonly addresses: Addresses
}

export interface PartTag {
  readonly partNumber: number
  /** Etag without quotes; `null` if the storage does not return it. */
  readonly etag: string | null
}

export interface Arrived {
  readonly plan: PartPlan
  readonly parts: readonly (PartTag & { readonly sizeBytes: number })[]
  /** New URLs for the missing parts. */
  readonly addresses: Addresses
  /** Whether the upload is complete. */
  readonly isCompleted: boolean
}

export interface PartToSend<Body> {
  readonly id: string | null
  readonly partNumber: number
  readonly address: string | null
  readonly body: Body
  readonly sizeBytes: number
  readonly signal: AbortSignal
  readonly onProgress: (sentBytes: number) => void
}

/** What to do after a failed call: `again` retries it, `refresh` requests new URLs first, and `stop` gives up. */
export type Verdict = 'again' | 'refresh' | 'stop'

/** Calls for uploading one file. An error that a call throws counts as a failure, unless its signal was aborted. */
export interface Transport<Body, Result> {
  begin(signal: AbortSignal): Promise<Begun>
  /**
   * Returns the received parts, or `null` if the upload no longer exists on the server. An upload without this function
   * cannot be resumed.
   */
  readonly look?: (id: string, signal: AbortSignal) => Promise<Arrived | null>
  /**
   * Sends a part.
   * @returns the etag of the part, if it can be read.
   */
  send(part: PartToSend<Body>): Promise<string | null>
  /** Completes the file. A repeated call returns the same result. */
  finish(upload: { id: string | null; parts: readonly PartTag[]; signal: AbortSignal }): Promise<Result>
  /** Aborts the upload on the server, and deletes its parts. */
  discard(id: string): Promise<void>
  judge(error: unknown): Verdict
}
