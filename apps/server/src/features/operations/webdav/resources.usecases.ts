import { authErrors, fsErrors } from '@dropleaf/contract'
import type { Needs, PlaceNeeds } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type StorageName, nameAt } from '../../../lib/object-names.ts'
import type { Actor } from '../../foundation/identity/actor.models.ts'
import { mayRead } from '../../capabilities/fs/places/access.models.ts'
import { type Entry, getEntry } from '../../capabilities/fs/files/reading.usecases.ts'
import { driveRootOf, hrefOf } from './hrefs.models.ts'

/** A WebDAV resource is an entry of the file system. */
export type Resource = Entry

const isCode = (error: unknown, specs: ReadonlyArray<{ readonly code: string }>): boolean =>
  error instanceof AppError && specs.some(({ code }) => code === error.spec.code)

/** @throws {AppError} the errors of `getEntry`, except `fs.not_found` and `fs.no_mount` */
export async function findResource(ctx: PlaceNeeds, actor: Actor, path: string): Promise<Resource | null> {
  try {
    return await getEntry(ctx, actor, path)
  } catch (error) {
    if (isCode(error, [fsErrors.not_found, fsErrors.no_mount])) return null
    throw error
  }
}

/**
 * Finds a resource in a mount. An unreadable resource counts as missing, so that conditions reveal nothing about it. A
 * folder above mounts counts as missing, too.
 */
export async function findReadable(ctx: PlaceNeeds, actor: Actor, path: string): Promise<Resource | null> {
  try {
    const resource = await findResource(ctx, actor, path)
    return resource && resource.kind !== 'virtual' && mayRead(actor, resource.place.path) ? resource : null
  } catch (error) {
    if (isCode(error, [authErrors.path_forbidden, fsErrors.path_invalid])) return null
    throw error
  }
}

/** Returns the resource's name in its storage; `null` for folders above mounts. */
export const nameOfResource = (resource: Resource | null): StorageName | null =>
  resource === null || resource.kind === 'virtual' ? null : nameAt(resource.place)

export const isFolder = (resource: Resource): boolean => resource.kind !== 'file'

export function hrefOfResource(ctx: Needs<'config'>, resource: Resource): string {
  const path = resource.kind === 'virtual' ? resource.path : resource.place.path
  return hrefOf(driveRootOf(ctx.config), path, { isFolder: isFolder(resource) })
}
