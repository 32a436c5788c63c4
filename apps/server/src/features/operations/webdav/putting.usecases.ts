import { Readable } from 'node:stream'
import { fsErrors, MIB, webdavErrors } from '@dropleaf/contract'
import type { ObjectStat } from '@dropleaf/storage'
import type { Needs, WriteNeeds } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { nameAt, namesAround, parentKeyOf } from '../../../lib/object-names.ts'
import { JUST_MS } from '../../capabilities/fs/files/folder-above.usecases.ts'
import { findFolder } from '../../capabilities/fs/files/folders.usecases.ts'
import { areHeld } from '../../capabilities/fs/leases/key-leases.usecases.ts'
import { fileKeyOf, type Place } from '../../capabilities/fs/places/places.usecases.ts'
import { writeFile } from '../../capabilities/fs/files/writing.usecases.ts'
import { knownFolders } from '../../foundation/object-index/folder-index.usecases.ts'
import { readSettings, type WebdavUploadMode } from '../../foundation/settings/settings.usecases.ts'
import { setClientTime } from '../../foundation/object-properties/properties.usecases.ts'

/**
 * If no more time than this has passed since the first check, the index is trusted about the parent folder. Changes
 * through the server update the index immediately.
 */
const SOON_MS = 1000

/**
 * Checks the parent folder and the name again, because both can change while the bytes arrive. Disks check both
 * themselves when they create the file. For a bucket, the check is skipped if hardly any time has passed and no
 * operation holds a lease on a parent folder.
 * @throws {AppError} `fs.parent_missing`, `fs.exists`
 */
async function requirePlaceStill(
  ctx: Needs<'clock' | 'db' | 'state'>,
  place: Place,
  { sinceMs }: { sinceMs: number },
) {
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
 * In the mode `auto`, uploads up to this size are sent in one request, because they are short and quickly repeated
 * after an interruption.
 */
const ONE_REQUEST_MAX_BYTES = 16 * MIB

const goesInParts = (mode: WebdavUploadMode, sizeBytes: number | undefined): boolean =>
  mode === 'multipart' || (mode === 'auto' && (sizeBytes ?? Infinity) > ONE_REQUEST_MAX_BYTES)

export interface Put {
  readonly place: Place<'write'>
  readonly source: Readable
  readonly sizeBytes: number | undefined
  /** Size of the replaced file; 0 if there is none. */
  readonly replacesBytes: number
  /** Modification time set by the client. */
  readonly modifiedAtMs: number | null
  /** Etag of the expected version; `null` if no file is expected; `undefined` to replace any version. */
  readonly expected?: string | null | undefined
  /** Checks the caller's right again after the last byte. @throws {AppError} if the write is no longer allowed */
  readonly requireMay: () => Promise<void>
}

/**
 * Stores a file.
 * @throws {AppError} the errors of `writeFile`; `webdav.condition_failed` if the version at the end is not `expected`;
 * `fs.parent_missing` if the parent folder was deleted meanwhile; `fs.exists` if a folder with the name was created
 * meanwhile
 */
export async function putFile(
  ctx: WriteNeeds & Needs<'secrets'>,
  { place, source, sizeBytes, replacesBytes, modifiedAtMs, expected, requireMay }: Put,
): Promise<ObjectStat> {
  // Reads the time before the client is invited to send the body, because the body can arrive immediately afterwards.
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
  if (modifiedAtMs !== null) await setClientTime(ctx, nameAt(place), { etag: stat.etag, modifiedAtMs })
  return stat
}

/** Creates an empty file for a lock on a free name. A file that was created meanwhile is not replaced. */
export async function putEmpty(ctx: WriteNeeds & Needs<'secrets'>, place: Place<'write'>): Promise<void> {
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
