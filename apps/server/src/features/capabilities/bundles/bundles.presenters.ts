import type { BundleDetail, ListedBundleRevision } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { toInstant, toInstantOrNull } from '../../../lib/clock.ts'
import { bundlePagePath } from '../../../lib/urls.ts'
import { presentOpening } from '../../foundation/share-opening/share-opening.presenters.ts'
import type { OpeningNoteRow } from '../../foundation/share-opening/share-opening.table.ts'
import type { BundleRevisionRow, BundleRow } from './bundles.table.ts'
import { issueTicket } from './reading/bundle-tickets.models.ts'
import { presentOwnManifest, type StoredManifest } from './manifest.models.ts'
import { presentSeal } from './sealed/seal.models.ts'

export const presentLink = (ctx: Needs<'config'>, { id, slug }: Pick<BundleRow, 'id' | 'slug'>) => ({
  id,
  slug,
  url: bundlePagePath(ctx.config, slug),
})

interface OwnBundle {
  readonly row: BundleRow
  readonly manifest: StoredManifest | null
  readonly sealedManifest: string | null
  readonly password: string | null
  readonly keyName: string | undefined
  readonly notes: ReadonlyMap<string, OpeningNoteRow>
  readonly usedNumbers: readonly number[]
}

/** Returns a bundle for its owner, including the plain password. */
export const presentOwnBundle = (
  ctx: Needs<'clock' | 'config' | 'secrets'>,
  { row, manifest, sealedManifest, password, keyName, notes, usedNumbers }: OwnBundle,
): BundleDetail => ({
  ...presentLink(ctx, row),
  title: row.title,
  remark: row.remark,
  created_at: toInstant(row.created_at_ms),
  updated_at: toInstant(row.updated_at_ms),
  expires_at: toInstantOrNull(row.expires_at_ms),
  max_views: row.max_views,
  views: row.views,
  has_password: row.password_hash !== null || row.kdf !== null,
  plain_password: password,
  created_by: row.created_by,
  ...(keyName === undefined ? {} : { key_name: keyName }),
  revision: row.revision,
  item_count: row.item_count,
  size: row.size_bytes,
  ...presentSeal(row),
  ...presentOpening(row, notes),
  manifest: manifest && presentOwnManifest(manifest),
  sealed_manifest: sealedManifest,
  owner_box: row.owner_box,
  ticket:
    manifest || sealedManifest
      ? issueTicket(ctx.secrets, row, { revision: row.revision, nowMs: ctx.clock.nowMs() })
      : null,
  object_numbers: [...usedNumbers],
})

export const presentRevision = (
  row: Pick<BundleRevisionRow, 'revision' | 'created_at_ms' | 'title' | 'item_count' | 'size_bytes'>,
  current: number,
): ListedBundleRevision => ({
  revision: row.revision,
  created_at: toInstant(row.created_at_ms),
  is_current: row.revision === current,
  title: row.title,
  item_count: row.item_count,
  size: row.size_bytes,
})
