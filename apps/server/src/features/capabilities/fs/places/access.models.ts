import { authErrors, fsErrors } from '@dropleaf/contract'
import { AppError } from '../../../../lib/app-error.ts'
import { isAtOrBelow, parseVirtualPath, type VirtualPath } from '../../../../lib/paths.ts'
import type { Actor } from '../../../foundation/identity/actor.models.ts'

/** The purpose of an access: browse, read, or write. */
export type Intent = 'navigate' | 'read' | 'write'

declare const grantBrand: unique symbol

/** A path that the caller may use for `Purpose`. Only {@link requireAccess} creates one. */
export interface GrantedPath<Purpose extends Intent = Intent> {
  readonly path: VirtualPath
  /** Whether the path had a trailing slash, which names a folder. */
  readonly isFolder: boolean
  readonly [grantBrand]: Purpose
}

const basePathOf = (actor: Actor): VirtualPath =>
  actor.kind === 'admin' ? ('/' as VirtualPath) : actor.basicPath

/** Whether the caller may read `path`. */
export const mayRead = (actor: Actor, path: VirtualPath): boolean => isAtOrBelow(path, basePathOf(actor))

/** Whether the caller may browse `path`: where it may read, and in the folders above. */
const mayNavigate = (actor: Actor, path: VirtualPath): boolean =>
  mayRead(actor, path) || isAtOrBelow(basePathOf(actor), path)

/**
 * The only access check for paths: every interface of the file system passes the received text to it.
 * @throws {AppError} `fs.path_invalid` for a path that leaves its root, hides something or cannot be stored;
 *   `auth.path_forbidden` outside the base path; `fs.read_only`
 */
export function requireAccess<const Purpose extends Intent>(
  actor: Actor,
  text: string,
  purpose: Purpose,
): GrantedPath<Purpose> {
  const path = parseVirtualPath(text)
  if (path === null) throw new AppError(fsErrors.path_invalid)
  const isAllowed = purpose === 'navigate' ? mayNavigate(actor, path) : mayRead(actor, path)
  if (!isAllowed) throw new AppError(authErrors.path_forbidden)
  if (purpose === 'write' && actor.kind === 'key' && actor.isMountReadOnly)
    throw new AppError(fsErrors.read_only)
  return { path, isFolder: path === '/' || text.endsWith('/') } as GrantedPath<Purpose>
}
