import type { Clock } from './clock.ts'
import type { UploadError } from './errors.ts'
import type { Lanes } from './lanes.ts'
import type { Part } from './parts.ts'
import type { Rate } from './rate.ts'
import type { ByteSource, Transport } from './transport.ts'

export type UploadState = 'idle' | 'uploading' | 'paused' | 'completed' | 'failed' | 'aborted'

/** What an upload is doing in the state `uploading`, and at its end. */
export type UploadStage =
  | 'starting'
  | 'initializing'
  | 'uploading'
  | 'processing'
  | 'completing'
  | 'completed'

/** Allowed transitions between states. */
export const TRANSITIONS: Readonly<Record<UploadState, readonly UploadState[]>> = {
  idle: ['uploading', 'paused', 'aborted'],
  uploading: ['paused', 'completed', 'failed', 'aborted'],
  paused: ['uploading', 'aborted'],
  failed: ['uploading', 'aborted'],
  completed: [],
  aborted: [],
}

export interface UploadSnapshot<Result> extends Rate {
  readonly state: UploadState
  /** `null` unless it is running or completed. */
  readonly stage: UploadStage | null
  /** Id of the upload; `null` until the server has returned it. */
  readonly id: string | null
  readonly sizeBytes: number
  readonly sentBytes: number
  /** Empty until the part size is known. */
  readonly parts: readonly Part[]
  /** Whether the bytes are available. Without them the upload cannot be resumed. */
  readonly hasSource: boolean
  /** `null` unless the upload has failed. */
  readonly error: UploadError | null
  readonly result: Result | null
}

export interface UploadSettings<Body, Result> {
  readonly transport: Transport<Body, Result>
  readonly clock: Clock
  /** Shared by all uploads; limits the concurrent requests with bytes. */
  readonly lanes: Lanes
  readonly source: ByteSource<Body> | null
  /** An interrupted upload: it starts as paused. Without an id the server knows nothing of it. */
  readonly saved?: { readonly id: string | null; readonly sizeBytes: number; readonly sentBytes: number }
}
