import type { Clock } from './clock.ts'
import type { UploadError } from './errors.ts'
import type { Lanes } from './lanes.ts'
import type { Part } from './parts.ts'
import type { Rate } from './rate.ts'
import type { ByteSource, Transport } from './transport.ts'

export type UploadState = 'idle' | 'uploading' | 'paused' | 'completed' | 'failed' | 'aborted'

/** What an upload is doing while its state is `uploading`, and at its end. */
export type UploadStage =
  | 'starting'
  | 'initializing'
  | 'uploading'
  | 'processing'
  | 'completing'
  | 'completed'

/** States that one state may lead to. */
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
  /** `null` unless it runs or is completed. */
  readonly stage: UploadStage | null
  /** Once the server has named it. */
  readonly id: string | null
  readonly sizeBytes: number
  readonly sentBytes: number
  /** Empty until it is known how the file is cut. */
  readonly parts: readonly Part[]
  /** The bytes are at hand. Without them it cannot be resumed. */
  readonly hasSource: boolean
  /** Only when it failed. */
  readonly error: UploadError | null
  readonly result: Result | null
}

export interface UploadSettings<Body, Result> {
  readonly transport: Transport<Body, Result>
  readonly clock: Clock
  /** Shared by all uploads: no more requests with bytes at once than it has. */
  readonly lanes: Lanes
  readonly source: ByteSource<Body> | null
  /** One that broke off before: it begins as paused. Without an id the server knows nothing of it. */
  readonly saved?: { readonly id: string | null; readonly sizeBytes: number; readonly sentBytes: number }
}
