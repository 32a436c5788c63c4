import { MOUNT_PATH_MAX_LENGTH, mountErrors, RESERVED_MOUNT_SEGMENTS } from '@dropleaf/contract'
import { AppError } from '../../lib/app-error.ts'
import { parseVirtualPath, type VirtualPath } from '../../lib/paths.ts'

/** ASCII letters, digits, `_` and `-`, and every visible character beyond ASCII. */
const SEGMENTS = /^(?:\/(?:[A-Za-z0-9_-]|(?=[^\p{C}\p{Z}])[\u0080-\u{10ffff}])+)+$/u
const RESERVED: ReadonlySet<string> = new Set(RESERVED_MOUNT_SEGMENTS)

/** @throws {AppError} `mount.path_invalid`, `mount.path_reserved` */
export function requireMountPath(text: string): VirtualPath {
  const path = text.length <= MOUNT_PATH_MAX_LENGTH && SEGMENTS.test(text) ? parseVirtualPath(text) : null
  if (path === null) throw new AppError(mountErrors.path_invalid)
  const first = path.split('/')[1] ?? ''
  if (RESERVED.has(first)) throw new AppError(mountErrors.path_reserved, { params: { segment: first } })
  return path
}
