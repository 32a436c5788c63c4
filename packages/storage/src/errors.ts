/**
 * Why a storage refused or failed, the same words for every driver.
 *
 * - `not_found` no such object, or no such multipart upload
 * - `folder_missing` the folder that an object was to go into is not there (`intoFolder`)
 * - `exists` the key is taken: by an object (`ifAbsent`), or by a folder where a file is asked for, or the reverse
 * - `changed` the object is another version than `ifMatch` names, or is not there
 * - `full` no space left on the disk, or a quota of the provider reached
 * - `too_large` more bytes than `maxBytes` or `sizeBytes` allow, or more than the storage can hold in one object
 * - `incomplete` the body ended or broke off before `sizeBytes`
 * - `denied` the storage refuses the operation: permissions, wrong credentials, read-only medium
 * - `range` the range starts at or after the end of the object, or is no range
 * - `bucket_missing` there is no such bucket
 * - `unavailable` the storage cannot be reached, or is not mounted, or failed inside; a later try may succeed
 * - `invalid_key` the text is no key (or no prefix, or no cursor) of this storage
 * - `invalid_part` a part is missing, out of order, out of 1 to 10,000, or not the one that was uploaded
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

/** What every driver throws for a failure of the storage. The driver's own error, if there is one, is the `cause`. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: StorageErrorCode

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
