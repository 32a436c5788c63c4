/** Source of the bytes. `Body` is whatever the transport sends. */
export interface ByteSource<Body> {
  readonly sizeBytes: number
  /** Bytes from `firstByte` up to, but not including, `endByte`. */
  slice(firstByte: number, endByte: number): Body | Promise<Body>
}

/** How a file is divided: every part but the last has `partSizeBytes`. */
export interface PartPlan {
  readonly partSizeBytes: number
  readonly partCount: number
}

/** Signed URLs by part number; empty if none are needed. */
export type Addresses = ReadonlyMap<number, string>

export interface Begun {
  /** Identifies the upload in later calls; `null` if the server stores nothing before the bytes arrive. */
  readonly id: string | null
  readonly plan: PartPlan
  readonly addresses: Addresses
}

export interface PartTag {
  readonly partNumber: number
  /** Without quotes; `null` if the storage hides it. */
  readonly etag: string | null
}

export interface Arrived {
  readonly plan: PartPlan
  readonly parts: readonly (PartTag & { readonly sizeBytes: number })[]
  /** New URLs for the missing parts. */
  readonly addresses: Addresses
  /** Nothing is left to send. */
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

/** How to continue after a failed call: retry, retry with new URLs, or give up. */
export type Verdict = 'again' | 'refresh' | 'stop'

/** The calls of one upload of one file. Everything they throw is a failure, except after their signal was aborted. */
export interface Transport<Body, Result> {
  begin(signal: AbortSignal): Promise<Begun>
  /** What has arrived; `null` if the server no longer knows the upload. Without this function an upload cannot be resumed. */
  readonly look?: (id: string, signal: AbortSignal) => Promise<Arrived | null>
  /** @returns the etag of the part, if it can be read. */
  send(part: PartToSend<Body>): Promise<string | null>
  /** Completes the file. A repeated call returns the same result. */
  finish(upload: { id: string | null; parts: readonly PartTag[]; signal: AbortSignal }): Promise<Result>
  /** Aborts the upload on the server and removes its parts. */
  discard(id: string): Promise<void>
  judge(error: unknown): Verdict
}
