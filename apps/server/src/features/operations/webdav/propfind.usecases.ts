import { setImmediate as nextTurn } from 'node:timers/promises'
import { webdavErrors } from '@dropleaf/contract'
import type { Needs, PlaceNeeds } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type StorageName, nameAt, nameOf } from '../../../lib/object-names.ts'
import type { Actor } from '../../foundation/identity/actor.models.ts'
import { mayRead } from '../../capabilities/fs/places/access.models.ts'
import type { Entry as ListEntry } from '../../capabilities/fs/listing/list.models.ts'
import { openFolder } from '../../capabilities/fs/listing/listing.usecases.ts'
import type { Place } from '../../capabilities/fs/places/places.usecases.ts'
import { getEntry } from '../../capabilities/fs/files/reading.usecases.ts'
import { usageOf } from '../../foundation/storage-usage/storage-usage.usecases.ts'
import type { PropertyQuery } from './bodies.models.ts'
import type { Depth } from './headers.models.ts'
import { hrefIn } from './hrefs.models.ts'
import {
  type Described,
  questionOf,
  responseWriter,
  wantsLocks,
  wantsQuota,
  WIN32_TIME,
} from './live-properties.models.ts'
import type { DavLockRow } from '../../foundation/object-locks/locks.repository.ts'
import { locksByName, locksIn, locksOn } from '../../foundation/object-locks/locks.usecases.ts'
import { hrefOfLock, maySeeTaker } from './shown-locks.usecases.ts'
import type { DavPropertyRow } from '../../foundation/object-properties/properties.repository.ts'
import { activeLock, MULTISTATUS_END, MULTISTATUS_START } from './multistatus.models.ts'
import {
  readClientProperties,
  type ClientProperties,
} from '../../foundation/object-properties/properties.usecases.ts'
import { findReadable, hrefOfResource, type Resource } from './resources.usecases.ts'

/** Approximate number of characters per chunk of the response. Other requests are served between chunks. */
const PIECE_LENGTH = 64 * 1024
/**
 * Number of resources that are described at a time: `TOGETHER` at first, then up to `TOGETHER_MAX`, and fewer if they
 * have many client-set properties.
 */
const TOGETHER = 25
const TOGETHER_MAX = 100
/** Approximate maximum number of client-set properties in memory. */
const PROPERTIES_TOGETHER = 1000

const PLAIN = { sizeBytes: 0, etag: '', dead: [], locks: '', quota: null } as const

/**
 * Describes a folder without reading a storage. The folder is outside any mount, above an API key's base path, or in
 * an unreachable storage.
 */
const passage = (href: string, path: string): Described => ({
  ...PLAIN,
  href,
  name: nameOf(path),
  isFolder: true,
  modifiedAtMs: null,
})

interface LockView {
  readonly actor: Actor
  readonly place: Place
  readonly locks: readonly DavLockRow[]
}

/** Returns a function that writes the locks on a file or folder, as the caller sees them. */
function lockWriter(ctx: Needs<'clock' | 'config'>, { actor, place, locks }: LockView) {
  const holding = locksByName(locks)
  return (name: StorageName, isFolder: boolean): string => {
    if (locks.length === 0) return ''
    const nowMs = ctx.clock.nowMs()
    return holding(name)
      .map((lock) => {
        const href = hrefOfLock(ctx, { place, name, isFolder }, lock)
        return activeLock(lock, href, { nowMs, isAnonymous: !maySeeTaker(actor, place, lock) })
      })
      .join('')
  }
}

/** Returns the used space of a storage, and the free space if the administrator has set a limit. */
async function quotaOf(ctx: Needs<'clock' | 'db'>, { config }: Place): Promise<Described['quota']> {
  const usedBytes = await usageOf(ctx, config)
  const limit = config.total_storage_bytes
  return { usedBytes, availableBytes: limit === null ? null : Math.max(0, limit - usedBytes) }
}

/**
 * Whether a row applies to this version of a file. The time that Windows set applies only to the version for which it
 * was set.
 */
const isOfThisVersion = (row: DavPropertyRow, hasClientTime: boolean): boolean =>
  hasClientTime || row.name !== WIN32_TIME.name || row.namespace !== WIN32_TIME.namespace

/** Returns the client-set properties of a file or folder. The etag is empty for a folder. */
function propertiesOfVersion(client: ClientProperties | undefined, key: string, etag: string) {
  const modifiedAtMs = etag === '' ? undefined : client?.timeOf(key, etag)
  const hasClientTime = etag === '' || modifiedAtMs !== undefined
  const properties = client?.propertiesOf(key) ?? []
  return { modifiedAtMs, dead: properties.filter((row) => isOfThisVersion(row, hasClientTime)) }
}

interface Finding {
  readonly href: string
  readonly resource: Exclude<Resource, { kind: 'virtual' }>
  /** Reads the requested client-set properties of the given keys. */
  readonly readClientProperties: (keys: readonly string[]) => Promise<ClientProperties>
  readonly locksOf: (name: StorageName, isFolder: boolean) => string
  readonly quota: Described['quota']
}

async function describeResource({
  href,
  resource,
  readClientProperties: read,
  locksOf,
  quota,
}: Finding): Promise<Described> {
  const { place } = resource
  const name = nameAt(place)
  const isFolder = resource.kind === 'folder'
  const common = {
    href,
    name: nameOf(place.path),
    locks: locksOf(name, isFolder),
    quota,
  }
  const { sizeBytes, etag } = isFolder ? { sizeBytes: 0, etag: '' } : resource.stat
  const own = isFolder ? resource.modifiedAtMs : resource.stat.modifiedAtMs
  const { modifiedAtMs, dead } = propertiesOfVersion(await read([name.key]), name.key, etag)
  return { ...common, isFolder, sizeBytes, etag, dead, modifiedAtMs: modifiedAtMs ?? own }
}

type Members = AsyncGenerator<Described[]>

/** Lists the entries of a folder, including mounts. */
async function listMembers(
  ctx: PlaceNeeds & Needs<'config' | 'database' | 'state'>,
  actor: Actor,
  {
    path,
    query,
    folderHref,
    finding,
  }: { path: string; query: PropertyQuery; folderHref: string; finding: Finding | null },
): Promise<Members> {
  const request = { path, limit: null, cursor: null, sort: null, order: 'asc', refresh: false } as const
  const folder = await openFolder(ctx, actor, request)
  const describeNested = async ({ name }: { readonly name: string }): Promise<Described> => {
    const href = hrefIn(folderHref, name, true)
    const at = `${path.replace(/\/$/, '')}/${name}`
    // If a storage is unreachable, its folder is still listed.
    const resource = await findReadable(ctx, actor, at).catch(() => null)
    if (resource === null || resource.kind === 'virtual') return passage(href, name)
    const own = await find(ctx, actor, { resource, isAround: false, query })
    return { ...(await describeResource(own)), href, name }
  }
  const describeAllNested = (items: ReadonlyArray<{ readonly name: string }>) =>
    Promise.all(items.map(describeNested))
  if (folder.kind === 'virtual')
    return (async function* () {
      yield await describeAllNested(folder.items)
    })()
  const listing = await folder.list()
  const top = finding?.resource.place.rest ?? ''
  const configId = folder.configId
  const keyOf = (name: string) => (top === '' ? name : `${top}/${name}`)
  const described = (all: ClientProperties | undefined, entry: ListEntry): Described => {
    const { name, isFolder, sizeBytes, modifiedAtMs, etag } = entry
    const key = keyOf(name)
    const own = propertiesOfVersion(all, key, isFolder ? '' : etag)
    return {
      href: hrefIn(folderHref, name, isFolder),
      name,
      isFolder,
      sizeBytes,
      etag,
      modifiedAtMs: own.modifiedAtMs ?? modifiedAtMs,
      dead: own.dead,
      locks: finding?.locksOf({ configId, key }, isFolder) ?? '',
      quota: isFolder ? (finding?.quota ?? null) : null,
    }
  }
  return (async function* () {
    yield await describeAllNested(listing.nested)
    let together = TOGETHER
    for await (const piece of listing.entries)
      for (let from = 0; from < piece.length;) {
        const some = piece.slice(from, from + together)
        const client = await finding?.readClientProperties(some.map(({ name }) => keyOf(name)))
        yield some.map((entry) => described(client, entry))
        from += some.length
        const isMuch = client !== undefined && client.propertyCount > PROPERTIES_TOGETHER
        together = isMuch ? Math.ceil(together / 4) : Math.min(together * 2, TOGETHER_MAX)
      }
  })()
}

async function find(
  ctx: Needs<'clock' | 'config' | 'db'>,
  actor: Actor,
  { resource, isAround, query }: { resource: Finding['resource']; isAround: boolean; query: PropertyQuery },
): Promise<Finding> {
  const name = nameAt(resource.place)
  const question = questionOf(query)
  const locks = wantsLocks(query) ? await locksOn(ctx, name) : []
  if (isAround && wantsLocks(query)) locks.push(...(await locksIn(ctx, name)))
  return {
    href: hrefOfResource(ctx, resource),
    resource,
    readClientProperties: (keys) => readClientProperties(ctx, { configId: name.configId, keys }, question),
    locksOf: lockWriter(ctx, { actor, place: resource.place, locks }),
    quota: resource.kind === 'folder' && wantsQuota(query) ? await quotaOf(ctx, resource.place) : null,
  }
}

/**
 * Answers a `PROPFIND` with a multistatus in chunks, so that a large folder is not held in memory as one text. All
 * checks precede the first chunk. An error of the database after that aborts the response.
 * @throws {AppError} the errors of `getEntry` and `openFolder`; `webdav.depth_infinite`
 */
export async function findProperties(
  ctx: PlaceNeeds & Needs<'config' | 'database' | 'state'>,
  actor: Actor,
  { path, depth, query }: { path: string; depth: Depth; query: PropertyQuery },
): Promise<AsyncGenerator<string>> {
  const resource = await getEntry(ctx, actor, path)
  if (depth === 'infinity' && resource.kind !== 'file') throw new AppError(webdavErrors.depth_infinite)
  const isAround = depth === 1 && resource.kind !== 'file'
  const isOpen = resource.kind !== 'virtual' && mayRead(actor, resource.place.path)
  const finding = isOpen ? await find(ctx, actor, { resource, isAround, query }) : null
  const folderHref = hrefOfResource(ctx, resource)
  const members = isAround ? await listMembers(ctx, actor, { path, query, folderHref, finding }) : null
  const own = finding
    ? await describeResource(finding)
    : passage(folderHref, resource.kind === 'virtual' ? resource.path : resource.place.path)
  const write = responseWriter(query)
  return (async function* () {
    let piece = MULTISTATUS_START + write(own)
    for await (const some of members ?? [])
      for (const one of some) {
        piece += write(one)
        if (piece.length < PIECE_LENGTH) continue
        yield piece
        piece = ''
        await nextTurn()
      }
    yield piece + MULTISTATUS_END
  })()
}
