import { setTimeout } from 'node:timers/promises'
import type { ListedBundleItem } from '@dropleaf/contract'
import type { Needs, PlaceNeeds } from '../../../../context.ts'
import { eachOf } from '../../../../lib/concurrency.ts'
import { toInstant } from '../../../../lib/clock.ts'
import { nameOf, parentOf } from '../../../../lib/object-names.ts'
import type { VirtualPath } from '../../../../lib/paths.ts'
import { type Actor, opens, type ReaderActor } from '../../../foundation/identity/actor.models.ts'
import { findCreator } from '../../../foundation/identity/authenticate.usecases.ts'
import { findIndexedFiles, knownFolders } from '../../../foundation/object-index/folder-index.usecases.ts'
import { getFile } from '../../fs/files/reading.usecases.ts'
import { mayRead } from '../../fs/places/access.models.ts'
import { findPlace } from '../../fs/places/places.usecases.ts'
import type { BundleRow } from '../bundles.table.ts'
import {
  isFollowed,
  type PresentFacts,
  readableManifest,
  type ReferenceItem,
  type StoredItem,
} from '../manifest.models.ts'
import { findItem } from './item-tree.models.ts'
import type { TicketedBundle } from './items.usecases.ts'
import type { OpenedBundle } from './opened-bundles.usecases.ts'

type FactNeeds = PlaceNeeds & Needs<'state'>
type Facts = ReadonlyMap<string, PresentFacts>

const NONE: Facts = new Map()
/** Maximum number of files that are looked up in their storage, because no fresh index has them. */
const ASKED_MAX = 200
const ASKED_AT_ONCE = 16
/** Time limit for all lookups together, so that a slow storage does not delay the page of a bundle for longer. */
const WAIT_MS = 1000

/** Reads the metadata of files of one folder from the index, if the index is fresh enough for the folder. */
async function fromIndex(
  ctx: FactNeeds,
  reader: ReaderActor,
  items: readonly ReferenceItem[],
): Promise<Facts> {
  const place = await findPlace(ctx, reader, reader.basicPath, 'read')
  if (!place) return NONE
  const key = parentOf(place.rest)
  const folder = (await knownFolders(ctx, place.config.id, [key])).get(key)
  const freshMs = ctx.clock.nowMs() - place.mount.cache_ttl * 1000
  if (!folder || folder.listedAtMs === null || folder.listedAtMs <= freshMs) return NONE
  const keyOf = ({ source }: ReferenceItem) => key + nameOf(source.ref.path)
  const rows = await findIndexedFiles(ctx, folder.id, [...new Set(items.map(keyOf))])
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return new Map(
    items.flatMap((item): Array<[string, PresentFacts]> => {
      const row = byKey.get(keyOf(item))
      return row ? [[item.path, { sizeBytes: row.size_bytes, modifiedAtMs: row.modified_at_ms }]] : []
    }),
  )
}

/**
 * Returns `null` for every error. The page shows the file without metadata, and the download of the file reports the
 * error.
 */
const orNull = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null)

async function look(
  ctx: FactNeeds,
  { id, owner }: { id: string; owner: Actor },
  items: readonly ReferenceItem[],
): Promise<Facts> {
  const readerAt = (path: string): ReaderActor => ({
    kind: 'reader',
    id,
    basicPath: path as VirtualPath,
    owner,
  })
  const facts = new Map<string, PresentFacts>()
  const folders = Map.groupBy(items, ({ source }) => parentOf(source.ref.path))
  await eachOf(folders.values(), ASKED_AT_ONCE, async (inFolder) => {
    const reader = readerAt(inFolder[0]?.source.ref.path ?? '')
    for (const [path, known] of (await orNull(fromIndex(ctx, reader, inFolder))) ?? NONE)
      facts.set(path, known)
  })
  const others = items.filter(({ path }) => !facts.has(path)).slice(0, ASKED_MAX)
  await eachOf(others, ASKED_AT_ONCE, async ({ path, source }) => {
    const file = await orNull(getFile(ctx, readerAt(source.ref.path), source.ref.path))
    if (file) facts.set(path, { sizeBytes: file.stat.sizeBytes, modifiedAtMs: file.stat.modifiedAtMs })
  })
  return facts
}

/**
 * Looks up the current metadata of references that are not pinned, keyed by the item's path. Omits files that cannot be
 * read. Of the files that no fresh index has, looks up at most {@link ASKED_MAX} and omits the others. Returns an empty
 * map if the lookups together exceed the time limit.
 */
async function presentFactsOf(
  ctx: FactNeeds,
  { id, created_by }: BundleRow,
  items: readonly StoredItem[],
): Promise<Facts> {
  if (created_by === null || !items.some(isFollowed)) return NONE
  const owner = await findCreator(ctx, created_by)
  if (!owner || !opens(owner, 'mount') || !opens(owner, 'file')) return NONE
  const isSeen = ({ source }: ReferenceItem) => mayRead(owner, source.ref.path as VirtualPath)
  const followed = items.filter(isFollowed).filter(isSeen)
  const done = new AbortController()
  const late = setTimeout(WAIT_MS, NONE, { signal: done.signal, ref: false }).catch(() => NONE)
  try {
    return await Promise.race([look(ctx, { id, owner }, followed), late])
  } finally {
    done.abort()
  }
}

/** Adds the current metadata of referenced files to an opened bundle. */
export async function withPresentFacts(
  ctx: FactNeeds,
  opened: OpenedBundle,
): Promise<OpenedBundle & { readonly facts: Facts }> {
  const items = readableManifest(opened.revision.manifest)?.items ?? []
  return { ...opened, facts: await presentFactsOf(ctx, opened.row, items) }
}

/** Replaces the metadata of listed references with the current metadata. Unknown values are `null`. */
export async function listPresently(
  ctx: FactNeeds,
  { row, manifest }: TicketedBundle,
  listed: readonly ListedBundleItem[],
): Promise<ListedBundleItem[]> {
  const items = listed.flatMap(({ path, isDirectory }) => {
    const found = isDirectory ? undefined : findItem(manifest, path)
    return found?.kind === 'file' && isFollowed(found.item) ? [found.item] : []
  })
  const facts = await presentFactsOf(ctx, row, items)
  const followed = new Set(items.map(({ path }) => path))
  return listed.map((item) => {
    if (item.isDirectory || !followed.has(item.path)) return item
    const known = facts.get(item.path)
    return { ...item, size: known?.sizeBytes ?? null, modified: known ? toInstant(known.modifiedAtMs) : null }
  })
}
