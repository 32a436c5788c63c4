import { type ErrorSpec, fsErrors } from '@dropleaf/contract'
import { StorageError, type StorageErrorCode } from '@dropleaf/storage'
import { AppError } from '../../../lib/app-error.ts'

/** File system errors for storage errors. */
const MEANINGS: Partial<Record<StorageErrorCode, ErrorSpec>> = {
  'storage.not_found': fsErrors.not_found,
  'storage.folder_missing': fsErrors.parent_missing,
  'storage.exists': fsErrors.exists,
  'storage.changed': fsErrors.changed,
  'storage.invalid_key': fsErrors.path_invalid,
}

/** Runs storage work, and maps storage errors to file system errors. */
export async function inFsTerms<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const meaning = error instanceof StorageError ? MEANINGS[error.code] : undefined
    throw meaning ? new AppError(meaning, { cause: error }) : error
  }
}
