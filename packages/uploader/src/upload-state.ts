import type { Clock } from './clock.ts'
import type { UploadError } from './errors.ts'
import type { Lanes } from './lanes.ts'
import type { Part } from './parts.ts'
import type { Rate } from './rate.ts'
import type { ByteSource, Transport } from './transport.ts'

export type UploadState = 'idle' | 'uploading' | 'paused' | 'completed' | 'failed' | 'aborted'

/** What an upload is doing while its state is `uploading` or `completed`. */
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
  /** `null` unless the upload is running or completed. */
  readonly stage: UploadStage | null
  /** ID of the upload; `null` until the server has returned it. */
  readonly id: string | null
  readonly sizeBytes: number
  readonly sentBytes: number
  /** List of parts, empty until the part size is known. */
  readonly parts: readonly Part[]
  /** Whether the file's bytes are available. An upload without them cannot be resumed. */
  readonly hasSource: boolean
  /** Identifies the file when the user chooses it again; `null` until it is computed. */
  readonly fingerprint: string | null
  /** `null` unless the upload has failed, or was paused because the user chose a different file. */
  readonly error: UploadError | null
  readonly result: Result | null
}

interface SavedState {
  readonly id: string | null
  readonly sizeBytes: number
  readonly sentBytes: number
  /** Fingerprint of the file. Absent if it was unknown when the state was saved. */
  readonly fingerprint?: string
}

export interface UploadSettings<Body, Result> {
  readonly transport: Transport<Body, Result>
  readonly clock: Clock
  /** Lanes that all uploads share. They limit concurrent requests that send bytes. */
  readonly lanes: Lanes
  readonly source: ByteSource<Body> | null
  /**
   * State of an interrupted upload, which starts as paused. If `id` is `null`, the upload does not exist on the server.
   */
  readonly saved?: SavedState
}
