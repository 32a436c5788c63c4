import { createHash } from 'node:crypto'
import type { LinkIssuer } from '@dropleaf/storage'
import type { Needs } from '../../../context.ts'
import { contentDisposition, previewType } from '../../../lib/bodies/content-headers.ts'
import { keyOnRecord } from '../../../storage/key-on-record.ts'
import { createSignedLinks } from '../../../storage/signed-links.ts'
import { findKeyActorById } from '../../foundation/identity/api-keys.usecases.ts'
import { keyIdOfCreator, type KeyActor } from '../../foundation/identity/actor.models.ts'
import {
  findIssuer,
  type NamedIssuer,
  type StoredObject,
} from '../../foundation/link-issuers/link-issuers.usecases.ts'
import { activeMounts, isBelowPath } from '../../foundation/mounts/mounts.usecases.ts'
import { driverOf, getConfig } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import { lockOf } from '../../foundation/share-opening/share-opening.models.ts'
import { findEnd, isRestricted } from './files.models.ts'
import { filesRepository } from './files.repository.ts'
import type { FileRow } from './files.table.ts'

const SHARE_PREFIX = 'share:'
const RIGHT = 'share'

/** Signed URLs are reused during this fraction of their lifetime. */
const CACHED_SHARE_OF_LIFE = 0.5

/**
 * Whether every access must go through this server, because the share is restricted or its owner has chosen the proxy.
 */
export const needsControl = (
  row: Pick<FileRow, 'password_hash' | 'max_views' | 'opening' | 'use_proxy'>,
): boolean => isRestricted(row) || row.use_proxy === 1

/** Whether the creator is still allowed to share this file. */
async function mayStillShare(ctx: Needs<'clock' | 'db'>, row: FileRow): Promise<boolean> {
  const keyId = keyIdOfCreator(row.created_by)
  const key = keyId === null ? null : await findKeyActorById(ctx, keyId)
  if (keyId !== null) {
    const { is_public } = await getConfig(ctx, row.storage_config_id)
    if (!key?.canFile || is_public !== 1) return false
  }
  return row.owns_object === 1 || isMountedFor(ctx, row, key)
}

async function isMountedFor(ctx: Needs<'db'>, row: FileRow, key: KeyActor | null): Promise<boolean> {
  if (key && !key.canMount) return false
  return (await activeMounts(ctx)).some(
    (mount) =>
      mount.storage_config_id === row.storage_config_id &&
      (!key || isBelowPath(mount, row.storage_key, key.basicPath)),
  )
}

/**
 * Binds the URLs of a share's bytes to the share. They become invalid when the share ends, when its link suffix,
 * password, PIN or generation changes, or when its creator loses the permission to share.
 * @returns `null` if the creator has already lost the permission, or the share has ended
 */
async function issuerOfShare(ctx: Needs<'clock' | 'db'>, row: FileRow): Promise<LinkIssuer | null> {
  const isLive = row.committed_at_ms !== null && findEnd(row, ctx.clock.nowMs()) === null
  if (!isLive || !(await mayStillShare(ctx, row))) return null
  const lock = JSON.stringify([row.slug, lockOf(row)])
  return {
    by: SHARE_PREFIX + row.id,
    right: RIGHT,
    scope: createHash('sha256').update(lock).digest('base64url'),
  }
}

/** Finds the share to which a signed URL is bound. @returns `undefined` if there is none */
export async function findShareOfLink(
  ctx: Needs<'db'>,
  { by, right }: NamedIssuer,
): Promise<FileRow | undefined> {
  if (right !== RIGHT || !by.startsWith(SHARE_PREFIX)) return undefined
  return filesRepository(ctx.db).findById(by.slice(SHARE_PREFIX.length))
}

/**
 * Returns the current state of the issuer of a signed URL. The issuer is a share, an API key, a session or a mount.
 * @returns `null` if the issuer has ended or can no longer reach `target`
 */
export async function findLinkIssuer(
  ctx: Needs<'clock' | 'db'>,
  named: NamedIssuer,
  target: StoredObject,
): Promise<LinkIssuer | null> {
  if (named.right !== RIGHT) return findIssuer(ctx, named, target)
  const row = await findShareOfLink(ctx, named)
  const isThere = row?.storage_config_id === target.configId && row.storage_key === target.key
  return row && isThere ? issuerOfShare(ctx, row) : null
}

export interface DirectLinks {
  readonly preview: string
  readonly download: string
  readonly validSeconds: number
}

/**
 * Returns signed URLs to view and to download the bytes of a share. URLs of this server are returned as paths. If
 * {@link needsControl} is true, the URLs always point to this server. Otherwise, they can point to the bucket.
 * @returns `null` if the share has ended, if its creator is no longer allowed to share the file, or if a URL cannot
 * contain its key
 */
export async function directLinks(
  ctx: Needs<'caches' | 'clock' | 'db' | 'secrets' | 'storage'>,
  row: FileRow,
): Promise<DirectLinks | null> {
  const config = await getConfig(ctx, row.storage_config_id)
  const issuer = await issuerOfShare(ctx, row)
  if (!issuer) return null
  const nowMs = ctx.clock.nowMs()
  // URLs expire with the share.
  const leftSeconds = row.expires_at_ms === null ? Infinity : Math.ceil((row.expires_at_ms - nowMs) / 1000)
  const validSeconds = Math.max(1, Math.min(config.signature_expires_in, leftSeconds))
  const isOwn = needsControl(row)
  // Returns no URLs for keys with leading or double slashes, because URLs of this server cannot contain such keys.
  if (row.storage_key.startsWith('/') || row.storage_key.includes('//')) return null
  const cacheKey = [
    config.id,
    config.updated_at_ms,
    row.id,
    row.storage_key,
    row.etag,
    row.filename,
    row.expires_at_ms,
    issuer.scope,
    isOwn,
  ].join(':')
  const known = ctx.caches.s3Url.get(cacheKey, nowMs)
  if (known) return { ...known, validSeconds: Math.floor(validSeconds * CACHED_SHARE_OF_LIFE) }
  const driver = await driverOf(ctx, config)
  const { secrets, clock } = ctx
  const links = isOwn ? createSignedLinks({ configId: config.id, secrets, clock }) : driver.links
  const key = keyOnRecord(driver, row.storage_key)
  const sign = (kind: 'inline' | 'attachment', contentType: string) =>
    links.get(key, {
      expiresInSeconds: validSeconds,
      contentType,
      contentDisposition: contentDisposition(kind, row.filename),
      issuer,
    })
  const [preview, download] = await Promise.all([
    sign('inline', previewType(row.filename, row.mimetype)),
    sign('attachment', row.mimetype),
  ])
  ctx.caches.s3Url.set(cacheKey, { preview, download }, nowMs + validSeconds * 1000 * CACHED_SHARE_OF_LIFE)
  return { preview, download, validSeconds }
}
