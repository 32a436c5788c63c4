/**
 * Why a storage refused or failed; the same codes for every driver.
 * - `not_found` no such object, or no such multipart upload
 * - `folder_missing` the folder for a new object does not exist (`intoFolder`)
 * - `exists` the key is taken: by an object (`ifAbsent`), or by a folder where a file is needed, or the reverse
 * - `changed` the object is missing or another version than `ifMatch` names, or was replaced during a read
 * - `full` no space left on the disk, or a quota of the provider reached
 * - `too_large` more bytes than `maxBytes` or `sizeBytes` allow, or than the storage accepts in one object
 * - `incomplete` the body ended before `sizeBytes`, or was destroyed before its end
 * - `denied` the storage refuses the operation: permissions, wrong credentials, a read-only medium, or a symlink in the
 *   path
 * - `range` the range starts at or after the end of the object, or is not a range
 * - `bucket_missing` there is no such bucket
 * - `unavailable` the storage is unreachable, not mounted, or failed internally; a retry may succeed
 * - `invalid_key` the text is not a key (or prefix, or cursor) of this storage
 * - `invalid_part` a part is missing, too small, out of order, numbered outside 1 to 10,000, or not the version that
 *   was uploaded
 */
export type StorageErrorCode =
  | 'storage.not_found'
  | 'storage.folder_missing'
  | 'storage.exists'
  | 'storage.changed'
  | 'storage.full'
  | 'storage.too_large'
  | 'storage.incomplete'
  | 'storage.denied'
  | 'storage.range'
  | 'storage.bucket_missing'
  | 'storage.unavailable'
  | 'storage.invalid_key'
  | 'storage.invalid_part'

/** Thrown by every driver for a failure of the storage. The original error, if any, is the `cause`. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: StorageErrorCode

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
