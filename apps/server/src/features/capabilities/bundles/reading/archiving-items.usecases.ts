import { Readable } from 'node:stream'
import { bundleErrors, fsErrors } from '@dropleaf/contract'
import type { PlaceNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { nameOf } from '../../../../lib/object-names.ts'
import type { ReaderActor } from '../../../foundation/identity/actor.models.ts'
import { membersAt } from '../../archives/archive.usecases.ts'
import type { ArchiveFault, ArchiveMember, ArchiveSource } from '../../archives/archive-stream.usecases.ts'
import { findEntryAt } from '../../fs/files/reading.usecases.ts'
import { getPlace } from '../../fs/places/places.usecases.ts'
import { type FileItem, isFolderItem } from '../manifest.models.ts'
import { type FoundItem, findItem } from './item-tree.models.ts'
import { getItem, inBundleTerms, openItem, readerOf, type TicketedBundle } from './items.usecases.ts'

const memberOf = (
  ctx: PlaceNeeds,
  bundle: TicketedBundle,
  { item, name }: { item: FileItem; name: string },
): ArchiveMember => ({
  name,
  path: item.path,
  isFolder: false,
  sizeBytes: item.size,
  modifiedAtMs: item.modifiedAtMs ?? bundle.row.created_at_ms,
  read: async (signal) => (await (await openItem(ctx, bundle, item.path)).read(undefined, signal)).body,
})

/**
 * Replaces the path in the mount with the path in the bundle in an entry of an archive's report. Readers must not see
 * mount paths.
 */
const asReported = (fault: ArchiveFault, { path, shown }: { path: string; shown: string }): ArchiveFault => ({
  ...fault,
  path: fault.path.startsWith(path) ? [shown, fault.path.slice(path.length)].join('/') : shown,
})

/** @throws {AppError} `fs.not_found` if there is no folder at the path; as `getPlace`. An empty folder is no error. */
async function requireFolder(ctx: PlaceNeeds, reader: ReaderActor, path: string): Promise<void> {
  const entry = await findEntryAt(reader, await getPlace(ctx, reader, path, 'read'))
  if (entry?.kind !== 'folder') throw new AppError(fsErrors.not_found)
}

async function* liveMembers(
  ctx: PlaceNeeds,
  bundle: TicketedBundle,
  o: { found: FoundItem & { kind: 'live' }; name: string; onFault: (fault: ArchiveFault) => void },
): AsyncGenerator<ArchiveMember> {
  const { item, rest } = o.found
  const { path: shared } = item.source.folder
  const shown = rest === '' ? item.path : `${item.path}/${rest}`
  const reader = await readerOf(ctx, bundle.row, shared)
  const path = rest === '' ? `${shared}/` : `${shared}/${rest}`
  const found = await folderOrFile(ctx, bundle, { path, shown })
  let hasFaults = false
  const onFault = (fault: ArchiveFault) => {
    hasFaults = true
    o.onFault(asReported(fault, { path: found, shown }))
  }
  const members = membersAt(ctx, reader, { path: found, name: o.name, onFault })
  const first = await inBundleTerms(rest === '', async () => {
    const next = await members.next()
    if (next.done && !hasFaults) await requireFolder(ctx, reader, found)
    return next
  })
  if (first.done) return
  const hidden = (member: ArchiveMember): ArchiveMember => ({
    ...member,
    path: shown + member.name.slice(o.name.length),
  })
  yield hidden(first.value)
  for await (const member of members) yield hidden(member)
}

/** Appends a slash to the path of a folder. */
async function folderOrFile(
  ctx: PlaceNeeds,
  bundle: TicketedBundle,
  { path, shown }: { path: string; shown: string },
): Promise<string> {
  if (path.endsWith('/')) return path
  try {
    await openItem(ctx, bundle, shown)
    return path
  } catch (error) {
    if (error instanceof AppError && error.spec.code === bundleErrors.item_kind.code) return `${path}/`
    throw error
  }
}

/**
 * Yields the selected files and folders under the top-level name `name`. An empty name puts their contents at the top.
 */
async function* membersOf(
  ctx: PlaceNeeds,
  bundle: TicketedBundle,
  o: { found: FoundItem; name: string; onFault: (fault: ArchiveFault) => void },
): AsyncGenerator<ArchiveMember> {
  const { found, name, onFault } = o
  if (found.kind === 'file') {
    yield memberOf(ctx, bundle, { item: found.item, name })
    return
  }
  if (found.kind === 'live') {
    yield* liveMembers(ctx, bundle, { found, name, onFault })
    return
  }
  const start = found.path === '' ? 0 : found.path.length + 1
  for (const item of found.items) {
    const inside = [name, item.path.slice(start)].filter((part) => part !== '').join('/')
    try {
      if (isFolderItem(item))
        yield* liveMembers(ctx, bundle, { found: { kind: 'live', item, rest: '' }, name: inside, onFault })
      else yield memberOf(ctx, bundle, { item, name: inside })
    } catch (error) {
      onFault({ path: item.path, error })
    }
  }
}

/** Returns the page of the bundle as a Markdown or text file for the archive; empty if the bundle has no page. */
function pageSource({ manifest, row }: TicketedBundle): ArchiveSource[] {
  const { page, title } = manifest
  if (!page) return []
  const extension = page.type === 'text/markdown' ? 'md' : 'txt'
  const name = `${
    (title ?? '')
      .replaceAll(/[/\\\p{Cc}]/gu, '_')
      .trim()
      .slice(0, 100) || 'page'
  }.${extension}`
  const bytes = Buffer.from(page.text)
  return [
    {
      path: name,
      async *members() {
        yield {
          name,
          path: name,
          isFolder: false,
          sizeBytes: bytes.length,
          modifiedAtMs: row.updated_at_ms,
          read: async () => Readable.from([bytes]),
        }
      },
    },
  ]
}

/**
 * Checks an archive before it is sent. Looks up a file or live folder only if it is the single selected path.
 * Otherwise, the report in the archive lists missing files.
 * @throws {AppError} `bundle.item_not_found`; `bundle.item_gone` for a single file or live folder that is gone
 */
export async function requireArchivable(
  ctx: PlaceNeeds,
  bundle: TicketedBundle,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) getItem(bundle, path)
  const [only] = paths
  if (paths.length !== 1 || only === undefined) return
  const found = getItem(bundle, only)
  if (found.kind === 'file') await openItem(ctx, bundle, only)
  if (found.kind !== 'live') return
  const members = liveMembers(ctx, bundle, { found, name: '', onFault: () => undefined })
  await members.next()
  await members.return(undefined)
}

/**
 * Returns the selections of an archive of a bundle.
 * @param paths files and folders; empty for the whole bundle with its page
 * @throws {AppError} `bundle.item_not_found`
 */
export function archiveSources(
  ctx: PlaceNeeds,
  bundle: TicketedBundle,
  paths: readonly string[],
): ArchiveSource[] {
  const isWhole = paths.length === 0
  const selected = isWhole ? [''] : paths
  for (const path of selected) getItem(bundle, path)
  const sources = selected.map((path): ArchiveSource => ({
    path,
    async *members(onFault) {
      const found = findItem(bundle.manifest, path)
      if (!found) throw new AppError(bundleErrors.item_not_found)
      yield* membersOf(ctx, bundle, { found, name: nameOf(path.replace(/\/$/, '')), onFault })
    },
  }))
  return isWhole ? [...pageSource(bundle), ...sources] : sources
}
