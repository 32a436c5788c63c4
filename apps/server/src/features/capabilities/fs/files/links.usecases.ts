import { fsErrors } from '@dropleaf/contract'
import type { PlaceNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { contentDisposition, previewType } from '../../../../lib/bodies/content-headers.ts'
import { inferMimeType } from '../../../../lib/mime.ts'
import type { Actor } from '../../../foundation/identity/actor.models.ts'
import { issuerOf } from '../../../foundation/link-issuers/link-issuers.usecases.ts'
import { fileKeyOf, getPlace, type Place } from '../places/places.usecases.ts'

export interface FileLink {
  readonly url: string
  readonly name: string
  readonly expiresInSeconds: number
  readonly expiresAtMs: number
}

/** Returns a signed URL of an object's bytes, served by the storage or, for a local disk, by this server. */
export function signLink(
  place: Place,
  actor: Actor,
  { isDownload, expiresInSeconds }: { isDownload: boolean; expiresInSeconds: number },
): Promise<string> {
  const key = fileKeyOf(place)
  const name = nameOf(key)
  const type = inferMimeType(name)
  return place.driver.links.get(key, {
    expiresInSeconds,
    contentType: isDownload ? type : previewType(name, type),
    contentDisposition: contentDisposition(isDownload ? 'attachment' : 'inline', name),
    issuer: issuerOf(actor, 'read', place.mount.id),
  })
}

const nameOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

/**
 * Returns a direct link to a file, valid for `expiresInSeconds` or the default of its storage.
 * @throws {AppError} as `getPlace` does; `fs.not_found`, `fs.not_a_file`
 */
export async function linkFile(
  ctx: PlaceNeeds,
  actor: Actor,
  {
    path,
    isDownload,
    expiresInSeconds,
  }: { path: string; isDownload: boolean; expiresInSeconds: number | null },
): Promise<FileLink> {
  const place = await getPlace(ctx, actor, path, 'read')
  const key = fileKeyOf(place)
  if (!(await place.driver.stat(key))) throw new AppError(fsErrors.not_found)
  const seconds = expiresInSeconds ?? place.config.signature_expires_in
  return {
    url: await signLink(place, actor, { isDownload, expiresInSeconds: seconds }),
    name: nameOf(key),
    expiresInSeconds: seconds,
    expiresAtMs: ctx.clock.nowMs() + seconds * 1000,
  }
}
