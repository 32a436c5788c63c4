import { findMountPathProblem, mountErrors } from '@dropleaf/contract'
import { AppError } from '../../../lib/app-error.ts'
import { parseVirtualPath, type VirtualPath } from '../../../lib/paths.ts'

/** @throws {AppError} `mount.path_invalid`, `mount.path_reserved` */
export function requireMountPath(text: string): VirtualPath {
  const problem = findMountPathProblem(text)
  if (problem === 'reserved')
    throw new AppError(mountErrors.path_reserved, { params: { segment: text.split('/')[1] ?? '' } })
  const path = problem === null ? parseVirtualPath(text) : null
  if (path === null) throw new AppError(mountErrors.path_invalid)
  return path
}
