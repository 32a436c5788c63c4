import type { Needs } from '../../../context.ts'
import { absoluteUrl, filePagePath } from '../../../lib/urls.ts'
import { toBit } from '../../../lib/bits.ts'
import { toInstant, toInstantOrNull } from '../../../lib/clock.ts'
import { objectAddress } from '../../../storage/object-address.ts'
import type { StorageConfigRow } from '../../foundation/storage-configs/storage-configs.table.ts'
import { getConfig } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import { presentOpening } from '../../foundation/share-opening/share-opening.presenters.ts'
import type { OpeningNoteRow } from '../../foundation/share-opening/share-opening.table.ts'
import { isRestricted } from './files.models.ts'
import type { FileRow } from './files.table.ts'
import { plainPasswordOf } from './own-files.usecases.ts'
import { directLinks, needsControl } from './share-links.usecases.ts'
import { issueTicket, TICKET_SECONDS } from './tickets.models.ts'

/** Returns the URLs of the bytes on this server. The URLs contain a ticket if the share is restricted. */
function proxyLinks(ctx: Needs<'clock' | 'secrets'>, row: FileRow, origin: string) {
  const query = isRestricted(row) ? `?ticket=${issueTicket(ctx.secrets, row, ctx.clock.nowMs())}` : ''
  const slug = encodeURIComponent(row.slug)
  return {
    preview: `${origin}/api/file-view/${slug}${query}`,
    download: `${origin}/api/file-download/${slug}${query}`,
  }
}

/**
 * Returns the URL of the bytes for an online viewer. The URL of a restricted share contains a ticket, so that the
 * viewer can load the file even if the last view has been used.
 */
export async function viewerLink(
  ctx: Needs<'caches' | 'clock' | 'db' | 'secrets' | 'storage'>,
  row: FileRow,
  origin: string,
): Promise<{ url: string; validSeconds: number }> {
  const direct = isRestricted(row) ? null : await directLinks(ctx, row)
  if (direct) return { url: absoluteUrl(origin, direct.preview), validSeconds: direct.validSeconds }
  return { url: proxyLinks(ctx, row, origin).download, validSeconds: TICKET_SECONDS }
}

/**
 * Returns permanent URLs for the owner. They contain the given password instead of a ticket, because a ticket expires.
 */
function ownerLinks(row: FileRow, { origin, password }: { origin: string; password: string | null }) {
  const query = password === null ? '' : `?password=${encodeURIComponent(password)}`
  const slug = encodeURIComponent(row.slug)
  return {
    preview: `${origin}/api/file-view/${slug}${query}`,
    download: `${origin}/api/file-download/${slug}${query}`,
  }
}

interface LinkPair {
  readonly preview: string
  readonly download: string
}

/** Returns all URLs of an opened share. Preferred URLs are first. */
async function presentLinks(
  ctx: Needs<'caches' | 'clock' | 'db' | 'secrets' | 'storage'>,
  row: FileRow,
  { origin, proxy }: { origin: string; proxy: LinkPair },
) {
  const direct = (await directLinks(ctx, row)) ?? proxy
  const directPreview = absoluteUrl(origin, direct.preview)
  const directDownload = absoluteUrl(origin, direct.download)
  const isControlled = needsControl(row)
  return {
    previewUrl: isControlled ? proxy.preview : directPreview,
    downloadUrl: isControlled ? proxy.download : directDownload,
    s3_direct_preview_url: directPreview,
    s3_direct_download_url: directDownload,
    proxy_preview_url: proxy.preview,
    proxy_download_url: proxy.download,
  }
}

const presentBasics = (row: FileRow) => ({
  id: row.id,
  slug: row.slug,
  filename: row.filename,
  mimetype: row.mimetype,
  size: row.size_bytes,
  remark: row.remark,
  created_at: toInstant(row.created_at_ms),
})

/** Returns a share as visitors see it. A locked share has no URLs and no hash. */
export async function presentPublic(
  ctx: Needs<'caches' | 'clock' | 'db' | 'secrets' | 'storage'>,
  { row, isLocked }: { row: FileRow; isLocked: boolean },
  origin: string,
) {
  return {
    ...presentBasics(row),
    sha256: isLocked ? null : row.sha256,
    requires_password: isLocked,
    views: row.views,
    max_views: row.max_views,
    expires_at: toInstantOrNull(row.expires_at_ms),
    use_proxy: toBit(row.use_proxy),
    created_by: row.created_by,
    ...(isLocked ? {} : await presentLinks(ctx, row, { origin, proxy: proxyLinks(ctx, row, origin) })),
  }
}

export function presentPresigned(
  { row, config, slug }: { row: FileRow; config: StorageConfigRow; slug: string },
  { uploadUrl, origin }: { uploadUrl: string; origin: string },
) {
  return {
    file_id: row.id,
    upload_url: absoluteUrl(origin, uploadUrl),
    storage_path: row.storage_key,
    s3_url: objectAddress(origin, { config, key: row.storage_key }),
    slug,
    provider_type: config.provider_type,
    contentType: row.mimetype,
  }
}

export const presentCommitted = async (ctx: Needs<'config' | 'db'>, row: FileRow, origin: string) => ({
  ...presentBasics(row),
  storage_path: row.storage_key,
  s3_url: objectAddress(origin, {
    config: await getConfig(ctx, row.storage_config_id),
    key: row.storage_key,
  }),
  etag: row.etag,
  sha256: row.sha256,
  updated_at: toInstant(row.updated_at_ms),
  hasPassword: row.password_hash !== null,
  expiresAt: toInstantOrNull(row.expires_at_ms),
  maxViews: row.max_views,
  url: filePagePath(ctx.config, row.slug),
})

/** Returns the response to an upload in a single request, with the URLs that upload tools read. */
export async function presentUploaded(
  ctx: Needs<'caches' | 'clock' | 'config' | 'db' | 'secrets' | 'storage'>,
  row: FileRow,
  { origin, keepsName }: { origin: string; keepsName: boolean },
) {
  return {
    ...presentBasics(row),
    sha256: row.sha256,
    remark: row.remark ?? '',
    requires_password: row.password_hash !== null,
    views: row.views,
    max_views: row.max_views,
    expires_at: toInstantOrNull(row.expires_at_ms),
    ...(await presentLinks(ctx, row, {
      origin,
      proxy: ownerLinks(row, { origin, password: plainPasswordOf(ctx, row) }),
    })),
    use_proxy: toBit(row.use_proxy),
    created_by: row.created_by ?? '',
    used_original_filename: keepsName,
    url: filePagePath(ctx.config, row.slug),
  }
}

export interface OwnerNames {
  readonly configs: ReadonlyMap<string, StorageConfigRow>
  readonly keyName: (creator: string | null) => string | undefined
  readonly notes: ReadonlyMap<string, OpeningNoteRow>
}

/** Returns a share for its owner, including the plain password. */
export function presentOwned(
  ctx: Needs<'secrets'>,
  row: FileRow,
  { configs, keyName, notes }: OwnerNames,
  origin: string,
) {
  const config = configs.get(row.storage_config_id)
  const name = keyName(row.created_by)
  return {
    ...presentBasics(row),
    storage_path: row.storage_key,
    s3_url: config ? objectAddress(origin, { config, key: row.storage_key }) : '',
    views: row.views,
    max_views: row.max_views,
    expires_at: toInstantOrNull(row.expires_at_ms),
    etag: row.etag,
    sha256: row.sha256,
    created_by: row.created_by,
    use_proxy: toBit(row.use_proxy),
    s3_config_id: row.storage_config_id,
    s3_config_name: config?.name ?? null,
    s3_provider_type: config?.provider_type ?? null,
    plain_password: plainPasswordOf(ctx, row),
    has_password: row.password_hash !== null,
    is_linked: row.owns_object === 0,
    ...presentOpening(row, notes),
    ...(name === undefined ? {} : { key_name: name }),
  }
}

export async function presentDetail(
  ctx: Needs<'caches' | 'clock' | 'db' | 'secrets' | 'storage'>,
  row: FileRow,
  names: OwnerNames,
  origin: string,
) {
  const proxy = ownerLinks(row, { origin, password: null })
  const direct = (await directLinks(ctx, row)) ?? proxy
  return {
    ...presentOwned(ctx, row, names, origin),
    has_password: toBit(row.password_hash !== null),
    updated_at: toInstant(row.updated_at_ms),
    urls: {
      previewUrl: absoluteUrl(origin, direct.preview),
      downloadUrl: absoluteUrl(origin, direct.download),
      proxyPreviewUrl: proxy.preview,
      proxyDownloadUrl: proxy.download,
      use_proxy: toBit(row.use_proxy),
    },
  }
}
