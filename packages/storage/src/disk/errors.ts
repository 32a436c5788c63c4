import { StorageError, type StorageErrorCode } from '../errors.ts'

/** Codes of system errors that mean the same for reads and writes. */
const CODES: Record<string, StorageErrorCode> = {
  ENOENT: 'storage.not_found',
  EEXIST: 'storage.exists',
  ENOTEMPTY: 'storage.exists',
  ENOSPC: 'storage.full',
  EDQUOT: 'storage.full',
  EFBIG: 'storage.too_large',
  EACCES: 'storage.denied',
  EPERM: 'storage.denied',
  EROFS: 'storage.denied',
  ELOOP: 'storage.denied',
  ENAMETOOLONG: 'storage.invalid_key',
  EINVAL: 'storage.invalid_key',
  EILSEQ: 'storage.invalid_key',
}

/**
 * A file is in the place of a folder, or a folder is in the place of a file. For a reader, nothing exists there. For a
 * writer, the name is taken.
 */
const READ_CODES: Record<string, StorageErrorCode> = {
  ENOTDIR: 'storage.not_found',
  EISDIR: 'storage.not_found',
  /** A socket that another program listens on. */
  ENXIO: 'storage.not_found',
}
const WRITE_CODES: Record<string, StorageErrorCode> = { ENOTDIR: 'storage.exists', EISDIR: 'storage.exists' }

/** Returns the `code` of a system error, or undefined for any other value. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Whether the path does not exist: no such name, or a file in the place of a parent folder. */
export function isMissing(error: unknown): boolean {
  const errno = errnoOf(error)
  return errno === 'ENOENT' || errno === 'ENOTDIR'
}

/**
 * Turns a failure of the file system into a `StorageError`; returns a `StorageError` unchanged. An unknown errno (EIO,
 * EMFILE, ESTALE, EXDEV, …) is `storage.unavailable`.
 */
export function translate(error: unknown, intent: 'read' | 'write', what: string): StorageError {
  if (error instanceof StorageError) return error
  const errno = errnoOf(error) ?? ''
  const special = intent === 'read' ? READ_CODES : WRITE_CODES
  const code = special[errno] ?? CODES[errno] ?? 'storage.unavailable'
  return new StorageError(
    code,
    `The disk refused to ${intent} ${JSON.stringify(what)}: ${errno || 'unknown'}.`,
    {
      cause: error,
    },
  )
}
