import { type ErrorSpec, fileErrors, fsErrors, requestErrors, storageErrors } from '@dropleaf/contract'
import type { StorageError, StorageErrorCode } from '@dropleaf/storage'

const SPECS: Readonly<Record<StorageErrorCode, ErrorSpec>> = {
  'storage.not_found': storageErrors.object_missing,
  'storage.folder_missing': fsErrors.parent_missing,
  'storage.exists': fileErrors.path_taken,
  'storage.changed': fsErrors.changed,
  'storage.full': storageErrors.disk_full,
  'storage.too_large': requestErrors.too_large,
  'storage.incomplete': fileErrors.incomplete,
  'storage.denied': storageErrors.denied,
  'storage.range': storageErrors.range_invalid,
  'storage.bucket_missing': storageErrors.bucket_missing,
  'storage.unavailable': storageErrors.unavailable,
  'storage.invalid_key': fileErrors.path_invalid,
  'storage.invalid_part': requestErrors.invalid,
}

/** Returns the API error for a storage error. */
export const specOfStorageError = (error: StorageError): ErrorSpec => SPECS[error.code]
