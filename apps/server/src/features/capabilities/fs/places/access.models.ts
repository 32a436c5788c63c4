import { authErrors, fsErrors } from '@dropleaf/contract'
import { AppError } from '../../../../lib/app-error.ts'
import { isAtOrBelow, parseVirtualPath, type VirtualPath } from '../../../../lib/paths.ts'
import type { PathActor } from '../../../foundation/identity/actor.models.ts'

export type Intent = 'navigate' | 'read' | 'write'

declare const grantBrand: unique symbol

/** A path that the caller may use for `Purpose`, created only by {@link requireAccess}. */
export interface GrantedPath<Purpose extends Intent = Intent> {
  readonly path: VirtualPath
  /** Whether the path had a trailing slash, which denotes a folder. */
  readonly isFolder: boolean
  readonly [grantBrand]: Purpose
}

const basePathOf = (actor: PathActor): VirtualPath =>
  actor.kind === 'admin' ? ('/' as VirtualPath) : actor.basicPath

export const mayRead = (actor: PathActor, path: VirtualPath): boolean =>
  isAtOrBelow(path, basePathOf(actor)) && (actor.kind !== 'reader' || mayRead(actor.owner, path))

/**
 * Returns whether the caller may browse `path`: inside its base path and in the folders above. The reader of a share
 * sees nothing above the shared path.
 */
const mayNavigate = (actor: PathActor, path: VirtualPath): boolean =>
  mayRead(actor, path) || (actor.kind !== 'reader' && isAtOrBelow(basePathOf(actor), path))

/**
 * Checks access to a path. Every interface must call this with the path that it receives.
 * @throws {AppError} `fs.path_invalid` for a path that points outside the root or cannot be stored;
 *   `auth.path_forbidden` outside the base path; `fs.read_only`
 */
export function requireAccess<const Purpose extends Intent>(
  actor: PathActor,
  text: string,
  purpose: Purpose,
): GrantedPath<Purpose> {
  const path = parseVirtualPath(text)
  if (path === null) throw new AppError(fsErrors.path_invalid)
  const isAllowed = purpose === 'navigate' ? mayNavigate(actor, path) : mayRead(actor, path)
  if (!isAllowed) throw new AppError(authErrors.path_forbidden)
  const isReadOnly = actor.kind === 'reader' || (actor.kind === 'key' && actor.isMountReadOnly)
  if (purpose === 'write' && isReadOnly) throw new AppError(fsErrors.read_only)
  return { path, isFolder: path === '/' || text.endsWith('/') } as GrantedPath<Purpose>
}
