import { Readable } from 'node:stream'
import { fsErrors, MIB, webdavErrors } from '@dropleaf/contract'
import type { ObjectStat } from '@dropleaf/storage'
import type { AppContext } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { nameAt, namesAround, parentKeyOf } from '../../../lib/object-names.ts'
import { JUST_MS } from '../../capabilities/fs/files/folder-above.usecases.ts'
import { findFolder } from '../../capabilities/fs/files/folders.usecases.ts'
import { areHeld } from '../../capabilities/fs/leases/key-leases.usecases.ts'
import { fileKeyOf, type Place } from '../../capabilities/fs/places/places.usecases.ts'
import { writeFile } from '../../capabilities/fs/files/writing.usecases.ts'
import { knownFolders } from '../../foundation/object-index/folder-index.usecases.ts'
import { readSettings, type WebdavUploadMode } from '../../foundation/settings/settings.usecases.ts'
import { tellTime } from '../../foundation/object-properties/properties.usecases.ts'

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

/** Uploads up to this size are short, and quickly repeated after an interruption. */
const ONE_REQUEST_MAX_BYTES = 16 * MIB

const goesInParts = (mode: WebdavUploadMode, sizeBytes: number | undefined): boolean =>
  mode === 'multipart' || (mode === 'auto' && (sizeBytes ?? Infinity) > ONE_REQUEST_MAX_BYTES)

export interface Put {
  readonly place: Place<'write'>
  readonly source: Readable
  readonly sizeBytes: number | undefined
  /** Size of the replaced file; 0 for none. */
  readonly replacesBytes: number
  /** The modification time that the client sets. */
  readonly modifiedAtMs: number | null
  /** Etag of the expected version, `null` for none; `undefined`: replaces any version. */
  readonly expected?: string | null | undefined
  /** Checks again after the last byte. @throws {AppError} if the write is no longer allowed */
  readonly requireMay: () => Promise<void>
}

/**
 * Stores a file.
 * @throws {AppError} as `writeFile`; `webdav.condition_failed` if another version than `expected` exists at the end;
 *   `fs.parent_missing` if the parent folder was deleted meanwhile, `fs.exists` if a folder with the name was created
 */
export async function putFile(
  ctx: AppContext,
  { place, source, sizeBytes, replacesBytes, modifiedAtMs, expected, requireMay }: Put,
): Promise<ObjectStat> {
  // Before inviting the body, which may then already arrive.
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

/** Creates an empty file for a lock on a free name. A file created meanwhile stays. */
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
