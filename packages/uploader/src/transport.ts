/** Where the bytes come from. `Body` is whatever the transport sends. */
export interface ByteSource<Body> {
  readonly sizeBytes: number
  /** Bytes from `firstByte` on, up to but without `endByte`. */
  slice(firstByte: number, endByte: number): Body | Promise<Body>
}

/** How a file is cut: all parts but the last have `partSizeBytes`. */
export interface PartPlan {
  readonly partSizeBytes: number
  readonly partCount: number
}

/** Signed addresses by part number; empty where none are needed. */
export type Addresses = ReadonlyMap<number, string>

export interface Begun {
  /** Names the upload in all calls after; `null` where the server keeps nothing before the bytes are there. */
  readonly id: string | null
  readonly plan: PartPlan
  readonly addresses: Addresses
}

export interface PartTag {
  readonly partNumber: number
  /** Without quotes; `null` where the storage hides it. */
  readonly etag: string | null
}

export interface Arrived {
  readonly plan: PartPlan
  readonly parts: readonly (PartTag & { readonly sizeBytes: number })[]
  /** Fresh ones for what is missing. */
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

/** What a failed call asks for: to be made again, fresh addresses first, or nothing. */
export type Verdict = 'again' | 'refresh' | 'stop'

/** The calls of one upload of one file. Whatever it throws is a failure, except after its signal was aborted. */
export interface Transport<Body, Result> {
  begin(signal: AbortSignal): Promise<Begun>
  /** What of an upload has arrived; `null` when the server does not know it any more. Absent: it cannot be gone on with. */
  readonly look?: (id: string, signal: AbortSignal) => Promise<Arrived | null>
  /** @returns the entity tag of the part, if it can be read. */
  send(part: PartToSend<Body>): Promise<string | null>
  /** Makes the bytes a file. Asked again it must answer the same. */
  finish(upload: { id: string | null; parts: readonly PartTag[]; signal: AbortSignal }): Promise<Result>
  /** Gives the upload up on the server, with what has arrived. */
  discard(id: string): Promise<void>
  judge(error: unknown): Verdict
}
