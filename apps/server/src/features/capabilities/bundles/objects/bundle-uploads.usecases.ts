import type { Readable } from 'node:stream'
import {
  authErrors,
  BUNDLE_UNNAMED_SECONDS,
  bundleErrors,
  type bundleObjectRoutes,
  fileErrors,
  type ParsedOf,
} from '@dropleaf/contract'
import type { Needs, PlaceNeeds, StorageNeeds, UploadNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { eachOf } from '../../../../lib/concurrency.ts'
import { type Actor, opens } from '../../../foundation/identity/actor.models.ts'
import {
  completeFileParts,
  lookAtFileParts,
  receiveFilePart,
  reserveParts,
} from '../../file-parts/file-parts.usecases.ts'
import type { FileRow } from '../../files/files.table.ts'
import { carryOutRemovalsSoon, planRemovals } from '../../files/objects/removals.usecases.ts'
import { planStrayRemoval } from '../../files/objects/stray-objects.usecases.ts'
import { receiveUpload } from '../../files/uploads/receive.usecases.ts'
import { requireOwnPlace, type ShareSettings } from '../../files/uploads/uploads.usecases.ts'
import { abortParts } from '../../url-import/url-uploads.usecases.ts'
import { bundleObjectsRepository } from '../bundle-objects.repository.ts'
import { bundlesRepository } from '../bundles.repository.ts'
import type { BundleRow } from '../bundles.table.ts'
import { getOwnBundle } from '../own-bundles.usecases.ts'
import { namedNumbers } from '../pruning.usecases.ts'
import { requireSealedParts } from '../../files/uploads/sealed-objects.usecases.ts'
import { dropUpload } from '../../files/uploads/dropped-uploads.usecases.ts'

const BEGUN_AT_ONCE = 4
const TRIES = 3

/** Objects have no share settings. The settings of their bundle apply. */
const NO_SETTINGS: ShareSettings = {
  remark: null,
  password: null,
  expiresInHours: null,
  maxViews: null,
  opening: null,
  pin: null,
}

interface Named {
  readonly bundleId: string
  readonly n: number
}

const placeOf = (
  { id }: BundleRow,
  {
    n,
    filename,
    configId,
    folder,
  }: { n: number; filename: string; configId: string | null; folder: string | null },
) => ({
  filename,
  configId,
  folder,
  slug: null,
  replacesOwn: false,
  keepsName: false,
  useProxy: true,
  bundle: { id, number: n },
})

const uploadOf = ({ id, bundle_id }: FileRow) => ({ fileId: id, bundleId: bundle_id ?? undefined })

/** Records activity on a bundle, so that the sweep deletes neither the draft nor objects that no revision uses yet. */
async function keepAlive(ctx: Needs<'clock' | 'db'>, { id }: BundleRow): Promise<void> {
  const nowMs = ctx.clock.nowMs()
  await bundlesRepository(ctx.db).touchDraft(id, nowMs)
  await bundleObjectsRepository(ctx.db).keepUnnamed(id, nowMs + BUNDLE_UNNAMED_SECONDS * 1000)
}

/**
 * Finds a bundle to which the caller may add objects, and records activity on it.
 * @throws {AppError} `auth.forbidden`, `bundle.not_found`
 */
async function getFillable(ctx: Needs<'clock' | 'db'>, actor: Actor, bundleId: string): Promise<BundleRow> {
  if (!opens(actor, 'file')) throw new AppError(authErrors.forbidden)
  const bundle = await getOwnBundle(ctx, actor, bundleId)
  await keepAlive(ctx, bundle)
  return bundle
}

/** @throws {AppError} as {@link getFillable}; `bundle.object_missing` */
async function getObject(ctx: Needs<'clock' | 'db'>, actor: Actor, { bundleId, n }: Named): Promise<FileRow> {
  const bundle = await getFillable(ctx, actor, bundleId)
  const row = await bundleObjectsRepository(ctx.db).find(bundle.id, n)
  if (!row) throw new AppError(bundleErrors.object_missing)
  return row
}

async function dropPending(ctx: UploadNeeds, actor: Actor, row: FileRow): Promise<void> {
  if (row.upload_kind === 'signed') {
    try {
      await abortParts(ctx, actor, uploadOf(row))
      return
    } catch (error) {
      // The parts are already deleted, or the caller must not abort them, for example because another caller started
      // the upload. The sweep aborts the remaining parts.
      if (!(error instanceof AppError)) throw error
    }
  }
  await dropUpload(ctx, row.id)
}

/**
 * Drops an unfinished upload with the number of a new object, and reserves the number.
 * @throws {AppError} `bundle.object_exists` if the object is complete or a stored revision uses it; as `reserve`
 */
async function reserved<T>(
  ctx: UploadNeeds,
  actor: Actor,
  {
    bundle,
    n,
    named,
    reserve,
  }: { bundle: BundleRow; n: number; named: ReadonlySet<number>; reserve: () => Promise<T> },
): Promise<T> {
  if (named.has(n)) throw new AppError(bundleErrors.object_exists)
  for (let tries = 1; ; tries += 1) {
    const there = await bundleObjectsRepository(ctx.db).find(bundle.id, n)
    if (there && there.committed_at_ms !== null) throw new AppError(bundleErrors.object_exists)
    if (there) await dropPending(ctx, actor, there)
    try {
      return await reserve()
    } catch (error) {
      // Retries if a concurrent request has reserved the same number in the meantime.
      const isTaken = error instanceof AppError && error.spec === bundleErrors.object_exists
      if (!isTaken || tries >= TRIES) throw error
    }
  }
}

/**
 * Runs `work`, which stores the bytes of an upload. If `work` fails because another request has dropped the upload,
 * schedules the deletion of the bytes that were stored after the upload was dropped.
 */
async function withoutStray<T>(
  ctx: StorageNeeds & Needs<'database' | 'log'>,
  findRow: () => FileRow | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const row = findRow()
    if (row && (await planStrayRemoval(ctx, row.storage_config_id, row.storage_key)))
      carryOutRemovalsSoon(ctx)
    throw error
  }
}

interface RawObject extends Named {
  readonly filename: string
  readonly configId: string | null
  readonly folder: string | null
  readonly source: Readable
  /** Declared size; `null` if the body is chunked. */
  readonly sizeBytes: number | null
  /** Called after the last byte, to check the caller's permissions again. */
  readonly requireMay: () => Promise<void>
}

/**
 * Receives an object in a single request. @throws {AppError} as {@link getFillable}, {@link reserved} and
 * `receiveUpload`; `bundle.not_sealed` for a sealed bundle
 */
export async function receiveObject(ctx: UploadNeeds, actor: Actor, input: RawObject): Promise<FileRow> {
  const bundle = await getFillable(ctx, actor, input.bundleId)
  // Refuses objects of sealed bundles, because only uploads in parts are checked for encryption.
  if (bundle.sealed !== null) throw new AppError(bundleErrors.not_sealed)
  const place = { ...placeOf(bundle, input), sizeBytes: input.sizeBytes }
  const named = await namedNumbers(ctx.db, bundle.id)
  // The body can be read only once, so a retry is not possible. Therefore the number is freed before the body is read.
  await reserved(ctx, actor, { bundle, n: input.n, named, reserve: async () => undefined })
  const done = await receiveUpload(ctx, actor, {
    place,
    source: input.source,
    requireMay: input.requireMay,
    completeOrder: () => ({ place, settings: NO_SETTINGS }),
  })
  await keepAlive(ctx, bundle)
  return done
}

type BeginBody = ParsedOf<typeof bundleObjectRoutes.begin, 'body'>
type WantedObject = BeginBody['objects'][number]

/** File name of every encrypted object. The manifest contains the real names. */
const SEALED_NAME = 'sealed.dls'

/**
 * Returns the name and the sizes to reserve for an object.
 * @throws {AppError} `bundle.not_sealed`, `bundle.not_sealable`; `file.parts_invalid` for a division into parts that
 * the format does not allow
 */
function reservationOf({ sealed }: BundleRow, wanted: WantedObject) {
  if (!('stored' in wanted)) {
    if (sealed !== null) throw new AppError(bundleErrors.not_sealed)
    return { filename: wanted.filename, sizeBytes: wanted.size }
  }
  if (sealed === null) throw new AppError(bundleErrors.not_sealable)
  const { stored: sizeBytes, part_size: partSizeBytes } = wanted
  requireSealedParts({ sizeBytes, partSizeBytes })
  return { filename: SEALED_NAME, sizeBytes, partSizeBytes }
}

type BegunParts = Awaited<ReturnType<typeof reserveParts>>
type BeginNeeds = PlaceNeeds & UploadNeeds & Needs<'unfinished'>

/**
 * Reserves all given objects or none. The bytes of the objects are uploaded in parts.
 * @throws {AppError} as {@link getFillable}, {@link reservationOf}, {@link reserved} and `reserveParts`
 */
export async function beginObjects(
  ctx: BeginNeeds,
  actor: Actor,
  bundleId: string,
  { objects, s3_config_id: configId, path: folder }: BeginBody,
): Promise<Array<BegunParts & { n: number }>> {
  const bundle = await getFillable(ctx, actor, bundleId)
  const named = await namedNumbers(ctx.db, bundle.id)
  // If several objects have the same number, only the last object is reserved, as if each object came in a separate
  // request.
  const wanted = [...new Map(objects.map((object) => [object.n, object])).values()]
  const reservations = wanted.map((object) => ({ n: object.n, ...reservationOf(bundle, object) }))
  const begun: Array<BegunParts & { n: number }> = []
  try {
    await eachOf(reservations, BEGUN_AT_ONCE, async ({ n, ...object }) => {
      const place = placeOf(bundle, { n, filename: object.filename, configId, folder })
      const reserve = () => reserveParts(ctx, actor, { ...place, ...object, settings: NO_SETTINGS })
      begun.push({ n, ...(await reserved(ctx, actor, { bundle, n, named, reserve })) })
    })
  } catch (error) {
    for (const { row } of begun) await dropPending(ctx, actor, row)
    throw error
  }
  return begun.toSorted((a, b) => a.n - b.n)
}

/**
 * Returns the progress of an object.
 * @throws {AppError} as {@link getObject} and `lookAtFileParts`, but `bundle.object_missing` for `file.not_found`
 */
export async function lookAtObject(ctx: UploadNeeds, actor: Actor, named: Named) {
  const row = await getObject(ctx, actor, named)
  return lookAtFileParts(ctx, actor, uploadOf(row)).catch((error: unknown) => {
    throw asObject(error)
  })
}

/**
 * Receives one part of an object. @returns its etag
 * @throws {AppError} as {@link getObject} and `receiveFilePart`, but `bundle.object_missing` for `file.not_found`
 */
export async function receiveObjectPart(
  ctx: UploadNeeds,
  actor: Actor,
  {
    bundleId,
    n,
    ...part
  }: Named & {
    partNumber: number
    source: Readable
    sizeBytes: number | undefined
    requireMay: () => Promise<void>
  },
): Promise<string> {
  const row = await getObject(ctx, actor, { bundleId, n })
  try {
    return await receiveFilePart(ctx, actor, { ...part, ...uploadOf(row) })
  } catch (error) {
    throw asObject(error)
  }
}

/** Maps the error of a missing pending upload to that of a missing object. Returns all other errors unchanged. */
const asObject = (error: unknown): unknown =>
  error instanceof AppError && error.spec === fileErrors.not_found
    ? new AppError(bundleErrors.object_missing, { cause: error })
    : error

/**
 * Joins the parts of an object.
 * @throws {AppError} as {@link getObject} and `completeFileParts`, but `bundle.object_missing` for `file.not_found`
 */
export async function completeObject(ctx: UploadNeeds, actor: Actor, named: Named): Promise<FileRow> {
  const row = await getObject(ctx, actor, named)
  try {
    const work = () => completeFileParts(ctx, actor, uploadOf(row))
    return await withoutStray(ctx, () => row, work)
  } catch (error) {
    throw asObject(error)
  }
}

/**
 * Aborts the upload of an object, or deletes an object that no stored revision uses.
 * @throws {AppError} as {@link getObject}; `bundle.object_named`; as `requireOwnPlace` for an unfinished upload
 */
export async function removeObject(ctx: UploadNeeds, actor: Actor, named: Named): Promise<void> {
  const row = await getObject(ctx, actor, named)
  if (row.committed_at_ms === null) {
    await requireOwnPlace(ctx, actor, row)
    await dropPending(ctx, actor, row)
    return
  }
  const bundleId = row.bundle_id ?? ''
  await ctx.database.transaction(async (trx) => {
    await bundlesRepository(trx).lock(bundleId)
    if ((await namedNumbers(trx, bundleId)).has(named.n)) throw new AppError(bundleErrors.object_named)
    const gone = await bundleObjectsRepository(trx).delete(bundleId, [named.n])
    await planRemovals(trx, gone, ctx.clock.nowMs())
  })
  carryOutRemovalsSoon(ctx)
}
