import { authErrors, type fsShareRoutes, type ParsedOf } from '@dropleaf/contract'
import type { UploadNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { nameOf } from '../../../../lib/object-names.ts'
import { type Actor, opens } from '../../../foundation/identity/actor.models.ts'
import type { FileRow } from '../../files/files.table.ts'
import { shareObject } from '../../files/linked-shares.usecases.ts'
import { settleRemovalOf } from '../../files/objects/removals.usecases.ts'
import { shareSettingsOf } from '../../files/uploads/uploads.usecases.ts'
import { fileKeyOf, getPlace } from '../places/places.usecases.ts'
import { getFile } from './reading.usecases.ts'

/**
 * Shares a file of a mount without copying it.
 * @throws {AppError} as `getFile` and `shareObject`; `auth.forbidden` without the permission to share files; as
 * `settleRemovalOf`
 */
export async function shareFile(
  ctx: UploadNeeds,
  actor: Actor,
  { path, slug, use_proxy, ...settings }: ParsedOf<typeof fsShareRoutes.share, 'body'>,
): Promise<FileRow> {
  if (!opens(actor, 'file')) throw new AppError(authErrors.forbidden)
  const place = await getPlace(ctx, actor, path, 'read')
  // A deleted share's object must not be shared again while its deletion is pending, so the request waits for the
  // deletion.
  await settleRemovalOf(ctx, { configId: place.config.id, key: fileKeyOf(place) })
  const { key, stat } = await getFile(ctx, actor, path)
  return shareObject(ctx, actor, {
    configId: place.config.id,
    stat,
    filename: nameOf(key),
    slug,
    useProxy: use_proxy,
    settings: shareSettingsOf(settings),
  })
}
