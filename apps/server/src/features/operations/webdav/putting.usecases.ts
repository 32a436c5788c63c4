import { Readable } from 'node:stream'
import { fsErrors, MIB, webdavErrors } from '@dropleaf/contract'
import type { ObjectStat } from '@dropleaf/storage'
import type { AppContext } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { nameAt, namesAround, parentKeyOf } from '../../../lib/object-names.ts'
import type { Actor } from '../../foundation/identity/actor.models.ts'
import { JUST_MS } from '../../capabilities/fs/files/folder-above.usecases.ts'
import { findFolder, makeWay } from '../../capabilities/fs/files/folders.usecases.ts'
import { areHeld } from '../../capabilities/fs/holds/key-holds.usecases.ts'
import { fileKeyOf, getPlace, type Place } from '../../capabilities/fs/places/places.usecases.ts'
import { writeFile } from '../../capabilities/fs/files/writing.usecases.ts'
import { type Entry, findEntryAt } from '../../capabilities/fs/files/reading.usecases.ts'
import { findKnownName, knownFolders } from '../../foundation/object-index/folder-index.usecases.ts'
import { readSettings, type WebdavUploadMode } from '../../foundation/settings/settings.usecases.ts'
import { tellTime } from '../../foundation/object-properties/properties.usecases.ts'

/**
 * The file that a write replaces. While the index is authoritative for the folder, as for listings, the storage is not
 * asked; a condition is always checked against the storage.
 * @throws {AppError} `webdav.method_impossible` for a folder; `fs.parent_missing` if the folder above does not exist:
 * none is created implicitly
 */
export async function findReplaced(
  ctx: AppContext,
  actor: Actor,
  { place, isConditional }: { place: Place<'write'>; isConditional: boolean },
): Promise<Extract<Entry, { kind: 'file' }> | null> {
  const key = fileKeyOf(place)
  const known = await findKnownName(ctx, place.config.id, key)
  const isFresh = (known?.listedAtMs ?? 0) > ctx.clock.nowMs() - place.mount.cache_ttl * 1000
  if (known && isFresh && !isConditional) {
    if (known.folder) throw new AppError(webdavErrors.method_impossible)
    return known.file && { kind: 'file', place, stat: { key, ...known.file } }
  }
  const entry = await findEntryAt(actor, place)
  if (entry?.kind === 'folder') throw new AppError(webdavErrors.method_impossible)
  if (!entry && !known) await requireParent(ctx, place)
  return entry
}

/**
 * The index knows the folders that a drive puts thousands of files into; only others are asked for in the storage.
 * @throws {AppError} `fs.parent_missing`
 */
export async function requireParent(ctx: AppContext, { config, driver, rest }: Place): Promise<void> {
  const parent = parentKeyOf(rest) ?? ''
  if (parent === '') return
  const known = await knownFolders(ctx, config.id, [`${parent}/`])
  if (known.size === 0 && !(await findFolder(driver, parent))) throw new AppError(fsErrors.parent_missing)
}

/** How long the index is trusted about the folder above; every change through the server updates it at once. */
const SOON_MS = 1000

/**
 * While the bytes arrive, the folder above may disappear, and a folder with the same name may appear. A disk checks
 * again when it names the file; a bucket is checked here, unless hardly any time has passed and nobody holds a lease on
 * a parent.
 * @throws {AppError} `fs.parent_missing`, `fs.exists`
 */
async function requirePlaceStill(ctx: AppContext, place: Place, { sinceMs }: { sinceMs: number }) {
  const { config, driver, rest } = place
  if (driver.kind === 'disk') return
  const agoMs = ctx.clock.nowMs() - sinceMs
  if (agoMs <= JUST_MS && !(await areHeld(ctx, config.id, namesAround(rest)))) return
  const parent = parentKeyOf(rest) ?? ''
  const isSoon = agoMs <= SOON_MS
  const known = isSoon ? await knownFolders(ctx, config.id, [`${parent}/`, `${rest}/`]) : null
  const isParentKnown = parent === '' || known?.has(`${parent}/`) === true
  const mayBeFolder = !known || known.has(`${rest}/`)
  const [above, same] = await Promise.all([
    isParentKnown || findFolder(driver, parent),
    mayBeFolder && findFolder(driver, rest),
  ])
  if (!above) throw new AppError(fsErrors.parent_missing)
  if (same) throw new AppError(fsErrors.exists)
}

/**
 * Where a file may be put.
 * @throws {AppError} as `getPlace`; `webdav.method_impossible` for a folder's address
 */
export async function placeForFile(ctx: AppContext, actor: Actor, path: string): Promise<Place<'write'>> {
  const place = await getPlace(ctx, actor, path, 'write')
  const isFolder = place.isFolder || place.rest === '' || place.hasMountsBelow
  if (isFolder) throw new AppError(webdavErrors.method_impossible)
  await makeWay(ctx, actor, place)
  return place
}

/** A request of at most this size ends soon, and an interrupted one is soon sent again. */
const ONE_REQUEST_MAX_BYTES = 16 * MIB

const goesInParts = (mode: WebdavUploadMode, sizeBytes: number | undefined): boolean =>
  mode === 'multipart' || (mode === 'auto' && (sizeBytes ?? Infinity) > ONE_REQUEST_MAX_BYTES)

export interface Put {
  readonly place: Place<'write'>
  readonly source: Readable
  readonly sizeBytes: number | undefined
  /** Size of what is replaced; 0 for nothing. */
  readonly replacesBytes: number
  /** What the client wants to be shown as the time of the file. */
  readonly modifiedAtMs: number | null
  /** Tag of the version that must still be there, `null` for none; `undefined`: whatever is there is replaced. */
  readonly expected?: string | null | undefined
  /** Asked again after the last byte, however long that took. @throws {AppError} what is in the way by then */
  readonly requireMay: () => Promise<void>
}

/**
 * Stores a file under an address.
 * @throws {AppError} as `writeFile`; `webdav.condition_failed` when another version than `expected` is there at the end;
 *   `fs.parent_missing` when the folder above went meanwhile, `fs.exists` when one came under the name
 */
export async function putFile(
  ctx: AppContext,
  { place, source, sizeBytes, replacesBytes, modifiedAtMs, expected, requireMay }: Put,
): Promise<ObjectStat> {
  // First: whoever was invited to send may already do so.
  const sinceMs = ctx.clock.nowMs()
  const { webdavUploadMode } = await readSettings(ctx)
  async function check(): Promise<void> {
    await requirePlaceStill(ctx, place, { sinceMs })
    if (expected === undefined) return
    const there = await place.driver.stat(fileKeyOf(place))
    if ((there?.etag ?? null) !== expected) throw new AppError(webdavErrors.condition_failed)
  }
  const { stat } = await writeFile(ctx, place, {
    source,
    sizeBytes,
    authorize: requireMay,
    conditions: { intoFolder: true, check },
    hints: { replacesBytes, inParts: goesInParts(webdavUploadMode, sizeBytes), hashes: false },
  })
  if (modifiedAtMs !== null) await tellTime(ctx, nameAt(place), { etag: stat.etag, modifiedAtMs })
  return stat
}

/** An empty file, for a lock on an address where nothing is yet. What came there meanwhile stays. */
export async function putEmpty(ctx: AppContext, place: Place<'write'>): Promise<void> {
  try {
    await putFile(ctx, {
      place,
      source: Readable.from([]),
      sizeBytes: 0,
      replacesBytes: 0,
      modifiedAtMs: null,
      expected: null,
      requireMay: () => Promise.resolve(),
    })
  } catch (error) {
    const isThere = error instanceof AppError && error.spec.code === webdavErrors.condition_failed.code
    if (!isThere) throw error
  }
}
