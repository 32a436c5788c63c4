export type UploadErrorCode =
  /** Only an idle upload can be started, and only a paused or failed upload can be resumed. */
  | 'upload.not_resumable'
  /** The user must choose the file again. */
  | 'upload.source_missing'
  /** The chosen file is not the file with which the upload was started. */
  | 'upload.source_changed'
  /** The chosen file was changed or removed on the disk, so that it can no longer be read. */
  | 'upload.source_unreadable'
  | 'upload.begin_failed'
  | 'upload.parts_failed'
  | 'upload.finish_failed'
  /** A part took too long. */
  | 'upload.timeout'
  /** The upload no longer exists on the server. */
  | 'upload.gone'

const MESSAGES: Readonly<Record<UploadErrorCode, string>> = {
  'upload.not_resumable': 'Only paused uploads can be resumed.',
  'upload.source_missing': 'The file has to be chosen again.',
  'upload.source_changed': 'This is not the file that the upload was begun with.',
  'upload.source_unreadable': 'The file was changed or removed.',
  'upload.begin_failed': 'The upload could not be started.',
  'upload.parts_failed': 'Some parts could not be uploaded.',
  'upload.finish_failed': 'The upload could not be completed.',
  'upload.timeout': 'The upload timed out.',
  'upload.gone': 'The server does not know this upload any more.',
}

/** Why an upload stopped; the original error is the `cause`. */
export class UploadError extends Error {
  override readonly name = 'UploadError'
  readonly code: UploadErrorCode

  constructor(code: UploadErrorCode, cause?: unknown) {
    super(MESSAGES[code], { cause })
    this.code = code
  }
}
