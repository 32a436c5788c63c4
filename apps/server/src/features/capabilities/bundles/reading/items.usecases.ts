import { BUNDLE_TICKET_SECONDS, bundleErrors } from '@dropleaf/contract'
import type { ReadResult } from '@dropleaf/storage'
import type { Needs, PlaceNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { inferMimeType } from '../../../../lib/mime.ts'
import { nameOf } from '../../../../lib/object-names.ts'
import { parseVirtualPath } from '../../../../lib/paths.ts'
import { opens, type ReaderActor } from '../../../foundation/identity/actor.models.ts'
import { findCreator } from '../../../foundation/identity/authenticate.usecases.ts'
import type { FileRow } from '../../files/files.table.ts'
import { readBytes } from '../../files/files.usecases.ts'
import { type FoundFile, getFile } from '../../fs/files/reading.usecases.ts'
import { inFsTerms } from '../../fs/fs-terms.models.ts'
import { bundleObjectsRepository } from '../bundle-objects.repository.ts'
import { bundleRevisionsRepository } from '../bundle-revisions.repository.ts'
import { bundlesRepository } from '../bundles.repository.ts'
import { hasExpired } from '../bundles.models.ts'
import type { BundleRow } from '../bundles.table.ts'
import {
  isReferenceItem,
  parseManifest,
  type ReferenceItem,
  type StoredManifest,
} from '../manifest.models.ts'
import { revisionOfTicket } from './bundle-tickets.models.ts'
import { findItem, type FoundItem } from './item-tree.models.ts'
import type { OpenedBundle } from './opened-bundles.usecases.ts'

/** A bundle with the contents that a ticket reads. */
export interface TicketedBundle {
  readonly row: BundleRow
  readonly manifest: StoredManifest
}

/**
 * How long a parsed manifest is cached. Manifests never change, so the time limit only frees the memory of manifests
 * that are no longer read.
 */
const MANIFEST_MS = BUNDLE_TICKET_SECONDS * 1000

/**
 * Finds the bundle of a ticket, and the number of the revision that the ticket reads.
 * @throws {AppError} `bundle.not_found`, `bundle.expired`, `bundle.ticket_invalid`
 */
export async function checkTicket(
  ctx: Needs<'clock' | 'db' | 'secrets'>,
  { slug, ticket }: { slug: string; ticket: string },
): Promise<{ row: BundleRow; revision: number }> {
  const row = await bundlesRepository(ctx.db).findBySlug(slug)
  if (!row || row.revision === 0) throw new AppError(bundleErrors.not_found)
  const nowMs = ctx.clock.nowMs()
  if (hasExpired(row, nowMs)) throw new AppError(bundleErrors.expired)
  const revision = revisionOfTicket(ctx.secrets, row, { ticket, nowMs })
  if (revision === null) throw new AppError(bundleErrors.ticket_invalid)
  return { row, revision }
}

/** Returns a bundle and the whole revision that a ticket reads. @throws {AppError} as {@link checkTicket} */
export async function readTicketWhole(
  ctx: Needs<'clock' | 'db' | 'secrets'>,
  shown: { slug: string; ticket: string },
): Promise<OpenedBundle> {
  const { row, revision } = await checkTicket(ctx, shown)
  const found = await bundleRevisionsRepository(ctx.db).find(row.id, revision)
  if (!found) throw new AppError(bundleErrors.ticket_invalid)
  return { row, revision: found }
}

/**
 * Returns a bundle and the manifest that a ticket reads. A ticket works even if the bundle has been used up since.
 * @throws {AppError} `bundle.not_found`, `bundle.expired`, `bundle.ticket_invalid`, `bundle.is_sealed`
 */
export async function readTicket(
  ctx: Needs<'caches' | 'clock' | 'db' | 'secrets'>,
  shown: { slug: string; ticket: string },
): Promise<TicketedBundle> {
  const { row, revision } = await checkTicket(ctx, shown)
  const repository = bundleRevisionsRepository(ctx.db)
  const facts = await repository.findFacts(row.id, revision)
  if (!facts) throw new AppError(bundleErrors.ticket_invalid)
  const nowMs = ctx.clock.nowMs()
  // The cache key contains the creation time, because an import can replace a revision by another revision with the
  // same number.
  const key = JSON.stringify([row.id, revision, facts.created_at_ms, facts.manifest_bytes])
  const known = ctx.caches.manifests.get(key, nowMs) as StoredManifest | undefined
  if (known) return { row, manifest: known }
  const found = await repository.find(row.id, revision)
  if (!found) throw new AppError(bundleErrors.ticket_invalid)
  const manifest = parseManifest(found.manifest)
  ctx.caches.manifests.set(key, manifest, nowMs + MANIFEST_MS, facts.manifest_bytes)
  return { row, manifest }
}

/** @throws {AppError} `bundle.item_not_found` */
export function getItem({ manifest }: TicketedBundle, path: string): FoundItem {
  const found = findItem(manifest, path)
  if (!found) throw new AppError(bundleErrors.item_not_found)
  return found
}

/**
 * Returns an actor that can read one shared path of a mount, with the current permissions of the bundle's owner.
 * @throws {AppError} `bundle.item_gone` if the owner no longer exists or is no longer allowed to share files of mounts,
 * or if the path is invalid
 */
export async function readerOf(
  ctx: Needs<'clock' | 'db'>,
  { id, created_by }: BundleRow,
  sharedPath: string,
): Promise<ReaderActor> {
  const owner = created_by === null ? null : await findCreator(ctx, created_by)
  const basicPath = parseVirtualPath(sharedPath)
  if (!owner || basicPath === null || !opens(owner, 'mount') || !opens(owner, 'file'))
    throw new AppError(bundleErrors.item_gone)
  return { kind: 'reader', id, basicPath, owner }
}

/** Errors of the file system that are reported to readers as a missing file. */
const UNSEEN: ReadonlySet<string> = new Set([
  'auth.path_forbidden',
  'fs.no_mount',
  'fs.not_found',
  'fs.not_operable',
  'fs.path_invalid',
  'fs.path_reserved',
])

/**
 * Replaces errors of the file system, because they contain paths that readers must not see.
 * @param isShared whether the path is that of the item itself, and not below a live folder
 * @throws {AppError} `bundle.item_kind`; for a missing file, `bundle.item_gone` with `isShared`, otherwise
 * `bundle.item_not_found`
 */
export async function inBundleTerms<T>(isShared: boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await inFsTerms(work)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code } = error.spec
    if (UNSEEN.has(code))
      throw new AppError(isShared ? bundleErrors.item_gone : bundleErrors.item_not_found, { cause: error })
    if (code === 'fs.not_a_file' || code === 'fs.not_a_folder')
      throw new AppError(bundleErrors.item_kind, { cause: error })
    throw error
  }
}

/**
 * @throws {AppError} `bundle.item_gone` if the file is gone or is not the pinned version, or as {@link readerOf};
 * `bundle.item_kind` if a folder has its path now
 */
async function getReferenced(
  ctx: PlaceNeeds,
  row: BundleRow,
  { source: { ref } }: ReferenceItem,
): Promise<FoundFile> {
  const reader = await readerOf(ctx, row, ref.path)
  const file = await inBundleTerms(true, () => getFile(ctx, reader, ref.path))
  if (ref.mode === 'pin' && file.stat.etag !== ref.etag) throw new AppError(bundleErrors.item_gone)
  return file
}

/** An opened file of a bundle. */
export interface ReadableItem {
  readonly name: string
  readonly configId: string
  readonly key: string
  readonly sizeBytes: number
  readonly mimetype: string
  readonly etag: string
  readonly modifiedAtMs: number
  read(range?: { firstByte: number; lastByte: number }, signal?: AbortSignal): Promise<ReadResult>
}

const ofPlace = ({ place, key, stat }: FoundFile, name: string): ReadableItem => ({
  name,
  configId: place.config.id,
  key,
  sizeBytes: stat.sizeBytes,
  mimetype: inferMimeType(name),
  etag: stat.etag,
  modifiedAtMs: stat.modifiedAtMs,
  read: (range, signal) => place.driver.read(key, { range, signal }),
})

const ofObject = (ctx: PlaceNeeds, row: FileRow, name: string): ReadableItem => ({
  name,
  configId: row.storage_config_id,
  key: row.storage_key,
  sizeBytes: row.size_bytes,
  mimetype: inferMimeType(name),
  etag: row.etag ?? row.id,
  modifiedAtMs: row.committed_at_ms ?? row.created_at_ms,
  read: (range, signal) => readBytes(ctx, row, { range, signal }),
})

/**
 * Opens a file of a bundle: an uploaded file, a referenced file, or a file in a live folder.
 * @throws {AppError} `bundle.item_not_found`, `bundle.item_kind` for a folder, `bundle.item_gone`
 */
export async function openItem(ctx: PlaceNeeds, bundle: TicketedBundle, path: string): Promise<ReadableItem> {
  const found = getItem(bundle, path)
  if (found.kind === 'folder') throw new AppError(bundleErrors.item_kind)
  if (found.kind === 'live') {
    const { path: shared } = found.item.source.folder
    const reader = await readerOf(ctx, bundle.row, shared)
    if (found.rest === '') throw new AppError(bundleErrors.item_kind)
    const file = await inBundleTerms(false, () => getFile(ctx, reader, `${shared}/${found.rest}`))
    return ofPlace(file, nameOf(found.rest))
  }
  const { item } = found
  const name = nameOf(item.path)
  if (isReferenceItem(item)) return ofPlace(await getReferenced(ctx, bundle.row, item), name)
  const row = await bundleObjectsRepository(ctx.db).find(bundle.row.id, item.source.object)
  if (!row || row.committed_at_ms === null || row.purged_at_ms !== null)
    throw new AppError(bundleErrors.item_gone)
  return ofObject(ctx, row, name)
}
