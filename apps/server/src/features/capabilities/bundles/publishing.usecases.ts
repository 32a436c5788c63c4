import {
  authErrors,
  BUNDLE_MANIFEST_MAX_BYTES,
  bundleErrors,
  type bundleRoutes,
  findBundlePathProblems,
  type ManifestInput,
  type ParsedOf,
} from '@dropleaf/contract'
import type { Needs, PlaceNeeds } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type Actor, opens } from '../../foundation/identity/actor.models.ts'
import { carryOutRemovalsSoon } from '../files/objects/removals.usecases.ts'
import { bundleObjectsRepository } from './bundle-objects.repository.ts'
import { bundleRevisionsRepository } from './bundle-revisions.repository.ts'
import { bundleSearchText, findEnd } from './bundles.models.ts'
import { bundlesRepository } from './bundles.repository.ts'
import type { BundleRow } from './bundles.table.ts'
import {
  isObjectItem,
  isReferenceItem,
  objectsNamedBy,
  readableManifest,
  type StoredManifest,
} from './manifest.models.ts'
import { getOwnBundle, getRevision } from './own-bundles.usecases.ts'
import { dropRevisionsAfter, pruneRevisions } from './pruning.usecases.ts'
import { ownerOf, resolveItems } from './references.usecases.ts'
import { requireSealedManifest } from './sealed/seal.models.ts'
import { requireOpenShares } from '../../foundation/settings/settings.usecases.ts'

type PublishNeeds = PlaceNeeds & Needs<'database' | 'log' | 'room'>
export type PublishedBundle = Pick<BundleRow, 'id' | 'slug' | 'revision'>

/** Disk space needed per byte of a manifest: once for the revision, and once for the database's log. */
const ROOM_FACTOR = 2

/** @throws {AppError} `auth.forbidden` if the caller is not allowed to share every kind of content in the manifest */
function requireRights(actor: Actor, { page, items }: Pick<ManifestInput, 'page' | 'items'>): void {
  const isFromMount = items.some(({ source }) => !('object' in source))
  const isAllowed =
    (!page || opens(actor, 'text')) &&
    (items.length === 0 || opens(actor, 'file')) &&
    (!isFromMount || opens(actor, 'mount'))
  if (!isAllowed) throw new AppError(authErrors.forbidden)
}

/** @throws {AppError} `bundle.empty`, `bundle.path_invalid` */
function requireForm({ page, items }: Pick<ManifestInput, 'page' | 'items'>): void {
  if (!page && items.length === 0) throw new AppError(bundleErrors.empty)
  const problems = findBundlePathProblems(items.map(({ path }) => path))
  if (problems.size === 0) return
  const details = [...problems].map(([index, message]) => ({
    path: `body.manifest.items.${index}.path`,
    message,
  }))
  throw new AppError(bundleErrors.path_invalid, { details })
}

/**
 * Finds a bundle that the caller manages and that can be published.
 * @throws {AppError} as `getOwnBundle`; `bundle.expired`, `bundle.used_up`
 */
async function getPublishable(
  ctx: Needs<'clock' | 'db'>,
  actor: Actor,
  idOrSlug: string,
): Promise<BundleRow> {
  const bundle = await getOwnBundle(ctx, actor, idOrSlug)
  const end = findEnd(bundle, ctx.clock.nowMs())
  if (end) throw new AppError(end)
  return bundle
}

interface Draft {
  readonly bundle: BundleRow
  readonly expected: number
  readonly manifest: Pick<StoredManifest, 'title' | 'page'> & Pick<ManifestInput, 'items'>
  /**
   * Revision on which the change is based. Unchanged items of mounts are copied from this revision, without another
   * lookup.
   */
  readonly base: StoredManifest | null
}

/**
 * Publishes a revision of a sealed bundle, whose manifest the server cannot read.
 * @throws {AppError} `bundle.not_sealed`, `bundle.manifest_too_large`, `bundle.object_missing`, `auth.forbidden`,
 *   `bundle.changed`
 */
async function publishSealed(
  ctx: PublishNeeds,
  actor: Actor,
  {
    bundle,
    expected,
    text,
    objects,
  }: { bundle: BundleRow; expected: number; text: string; objects: number[] },
): Promise<PublishedBundle> {
  if (objects.length > 0 && !opens(actor, 'file')) throw new AppError(authErrors.forbidden)
  requireSealedManifest(text)
  const numbers = [...new Set(objects)].toSorted((a, b) => a - b)
  const rows = await bundleObjectsRepository(ctx.db).list(bundle.id)
  const sizes = new Map(rows.map((row) => [row.object_number, row.size_bytes]))
  const size_bytes = numbers.reduce((sum, number) => sum + (sizes.get(number) ?? 0), 0)
  return publishText(ctx, {
    bundle,
    expected,
    text,
    numbers,
    facts: { title: null, item_count: numbers.length, size_bytes },
    searchTextOf: (remark) => bundleSearchText(remark, null),
  })
}

/**
 * Publishes a revision. The change is atomic: readers see either the previous revision or the new revision.
 * @throws {AppError} as {@link getPublishable} and {@link publishSealed}; `share.must_be_sealed`,
 * `bundle.not_sealable`, `auth.forbidden`, `auth.path_forbidden`, `bundle.changed`, `bundle.empty`,
 * `bundle.path_invalid`, `bundle.manifest_too_large`, `bundle.object_missing`, `bundle.item_gone`
 * @throws {StorageError} `storage.full` if the disk of the database is almost full
 */
export async function publishBundle(
  ctx: PublishNeeds,
  actor: Actor,
  idOrSlug: string,
  input: ParsedOf<typeof bundleRoutes.publish, 'body'>,
): Promise<PublishedBundle> {
  const bundle = await getPublishable(ctx, actor, idOrSlug)
  const expected = input.expected_revision
  if (typeof input.manifest === 'string') {
    if (bundle.sealed === null) throw new AppError(bundleErrors.not_sealable)
    const objects = input.objects ?? []
    return publishSealed(ctx, actor, { bundle, expected, text: input.manifest, objects })
  }
  if (bundle.sealed !== null) throw new AppError(bundleErrors.not_sealed)
  await requireOpenShares(ctx)
  const { title, page, items } = input.manifest
  const manifest = { title, page: page ?? null, items }
  const edited = await bundleRevisionsRepository(ctx.db).find(bundle.id, expected)
  return publish(ctx, actor, {
    bundle,
    expected,
    manifest,
    base: edited ? readableManifest(edited.manifest) : null,
  })
}

/**
 * Publishes an earlier revision again. Its items of mounts are not looked up again. A sealed bundle is refused, because
 * its manifest contains the number of its revision.
 * @throws {AppError} as {@link publishBundle}; `bundle.revision_not_found`, `bundle.is_sealed`
 */
export async function restoreBundle(
  ctx: PublishNeeds,
  actor: Actor,
  { idOrSlug, revision, expected }: { idOrSlug: string; revision: number; expected: number },
): Promise<PublishedBundle> {
  const bundle = await getPublishable(ctx, actor, idOrSlug)
  const { manifest: base } = await getRevision(ctx, bundle, revision)
  if (!base) throw new AppError(bundleErrors.is_sealed)
  await requireOpenShares(ctx)
  const items = base.items.map((item): ManifestInput['items'][number] => {
    if (!isReferenceItem(item)) return { path: item.path, source: item.source }
    const { path, mode } = item.source.ref
    return { path: item.path, source: { ref: { path, mode } } }
  })
  return publish(ctx, actor, { bundle, expected, manifest: { ...base, items }, base })
}

async function publish(
  ctx: PublishNeeds,
  actor: Actor,
  { bundle, expected, manifest, base }: Draft,
): Promise<PublishedBundle> {
  requireRights(actor, manifest)
  requireForm(manifest)
  const rows = await bundleObjectsRepository(ctx.db).list(bundle.id)
  const objects = new Map(rows.map((row) => [row.object_number ?? -1, row]))
  const { title, page } = manifest
  const publisher = { actor, owner: await ownerOf(ctx, actor, bundle), bundleId: bundle.id }
  const items = await resolveItems(ctx, publisher, { items: manifest.items, objects, base })
  const stored: StoredManifest = { title, page, items }
  const text = JSON.stringify(stored)
  if (Buffer.byteLength(text) > BUNDLE_MANIFEST_MAX_BYTES) throw new AppError(bundleErrors.manifest_too_large)
  return publishText(ctx, {
    bundle,
    expected,
    text,
    numbers: objectsNamedBy(stored),
    facts: { title, item_count: items.length, size_bytes: sizeOf(stored) },
    searchTextOf: (remark) => bundleSearchText(remark, stored),
  })
}

async function publishText(ctx: PublishNeeds, next: NewRevision): Promise<PublishedBundle> {
  const { bundle, expected, text } = next
  const bytes = Buffer.byteLength(text)
  await ctx.room.take(bytes * ROOM_FACTOR)
  try {
    const revision = await saveRevision(ctx, next, bytes)
    return { id: bundle.id, slug: bundle.slug, revision }
  } catch (error) {
    const isOvertaken = error instanceof AppError && error.spec === bundleErrors.changed
    // Returns the current revision if this request repeats an earlier request whose response was lost.
    if (isOvertaken && (await isCurrent(ctx, bundle.id, { revision: expected + 1, text })))
      return { id: bundle.id, slug: bundle.slug, revision: expected + 1 }
    throw error
  }
}

async function isCurrent(
  ctx: Needs<'db'>,
  id: string,
  { revision, text }: { revision: number; text: string },
): Promise<boolean> {
  const bundle = await bundlesRepository(ctx.db).findById(id)
  if (bundle?.revision !== revision) return false
  return (await bundleRevisionsRepository(ctx.db).find(id, revision))?.manifest === text
}

interface NewRevision {
  readonly bundle: BundleRow
  readonly expected: number
  /** The manifest, as stored in the database. */
  readonly text: string
  /** Numbers of the objects in the manifest. */
  readonly numbers: readonly number[]
  readonly facts: Pick<BundleRow, 'title' | 'item_count' | 'size_bytes'>
  readonly searchTextOf: (remark: string | null) => string
}

/** Returns the total size of the uploaded objects in a manifest. Counts each object once. */
function sizeOf({ items }: StoredManifest): number {
  const sizes = new Map(items.filter(isObjectItem).map(({ source, size }) => [source.object, size]))
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)
}

async function saveRevision(
  ctx: PublishNeeds,
  { bundle, expected, text, numbers, facts, searchTextOf }: NewRevision,
  bytes: number,
): Promise<number> {
  const nowMs = ctx.clock.nowMs()
  const revision = await ctx.database.transaction(async (trx) => {
    const row = await bundlesRepository(trx).advance(bundle.id, expected, { ...facts, updated_at_ms: nowMs })
    if (!row) throw new AppError(bundleErrors.changed)
    await bundlesRepository(trx).update(bundle.id, { search_text: searchTextOf(row.remark) })
    const next = row.revision
    // Reads the numbers after `advance` has locked the bundle, because an object may have been removed since it was
    // looked up.
    const there = await bundleObjectsRepository(trx).numbers(bundle.id)
    if (!numbers.every((number) => there.has(number))) throw new AppError(bundleErrors.object_missing)
    await dropRevisionsAfter(trx, bundle.id, { current: expected, naming: numbers, nowMs })
    await bundleRevisionsRepository(trx).insert({
      bundle_id: bundle.id,
      revision: next,
      manifest: text,
      manifest_bytes: bytes,
      objects: JSON.stringify(numbers),
      ...facts,
      created_at_ms: nowMs,
      replaced_at_ms: null,
    })
    await bundleRevisionsRepository(trx).markReplaced(bundle.id, next, nowMs)
    await bundleObjectsRepository(trx).markNamed(bundle.id, numbers)
    await pruneRevisions(trx, bundle.id, nowMs)
    return next
  })
  carryOutRemovalsSoon(ctx)
  return revision
}
