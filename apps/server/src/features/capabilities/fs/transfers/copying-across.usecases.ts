import { CLIENT_COPY_OBJECTS_MAX, type CopyOutcome, fsErrors } from '@dropleaf/contract'
import { isFolderKey, type ObjectStat, parseStorageKey } from '@dropleaf/storage'
import type { Needs, PlaceNeeds } from '../../../../context.ts'
import { absoluteUrl } from '../../../../lib/urls.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { inferMimeType } from '../../../../lib/mime.ts'
import { shareObjectsAmong } from '../../../foundation/share-objects/share-objects.usecases.ts'
import { signCopyTarget } from '../../../../storage/signed-links.ts'
import { nameOf, parentOf } from '../../../../lib/object-names.ts'
import type { Actor } from '../../../foundation/identity/actor.models.ts'
import { issuerOf } from '../../../foundation/link-issuers/link-issuers.usecases.ts'
import type { AcrossPlan, FailedItem } from './copying.usecases.ts'
import { indexedBytesOf } from '../../../foundation/object-index/object-index.usecases.ts'
import { requireNoMountIn } from '../places/mounts-inside.usecases.ts'
import { getPlace, prefixOf } from '../places/places.usecases.ts'
import { requireCapacity } from '../../../foundation/storage-usage/storage-usage.usecases.ts'
import { keyAt, pathOfKey, refusalOf, type TransferStep } from './transfer-run.usecases.ts'
import { settleTarget } from './transfer-targets.usecases.ts'
import type { Conflict, TransferItem } from './transfers.models.ts'
import { walk } from '../../../../storage/walk.ts'

/** Lifetime of the signed URLs, in seconds. */
const URL_SECONDS = 3600

type AcrossResult = NonNullable<CopyOutcome['crossStorageResults']>[number]

interface AcrossRequest {
  readonly items: readonly TransferItem[]
  readonly conflict: Conflict
  readonly origin: string
}

/** Plans a copy between storages that the client carries out: every file gets a URL to read and a URL to write. */
export async function planAcross(
  ctx: PlaceNeeds,
  actor: Actor,
  { items, conflict, origin }: AcrossRequest,
): Promise<AcrossPlan> {
  const results: AcrossResult[] = []
  const failed: FailedItem[] = []
  let skipped = 0
  /** Bytes that earlier items add to each storage; negative if these items replace more bytes than they write. */
  const planned = new Map<string, number>()
  const replaced = new Map<string, ReadonlySet<string>>()
  for (const item of items) {
    try {
      const source = await getPlace(ctx, actor, item.source, 'read')
      const wanted = await getPlace(ctx, actor, item.target, 'write')
      if (source.isFolder) await requireNoMountIn(ctx, source)
      const step = await settleTarget(
        { ctx, actor, isMove: false, holds: null },
        { source, wanted, conflict },
      )
      if (step === null) skipped += 1
      else results.push(await planItem(ctx, step, { actor, item, origin, planned, replaced, failed }))
    } catch (error) {
      failed.push({ ...item, ...refusalOf(error) })
    }
  }
  return { results, failed, skipped }
}

/** @throws {AppError} `file.storage_full` if the target is full; as `planFile` and `planFolder` */
async function planItem(
  ctx: Needs<'clock' | 'db' | 'secrets'>,
  step: TransferStep,
  planning: Omit<Planning, 'ctx'>,
): Promise<AcrossResult> {
  const result = await (step.source.isFolder ? planFolder : planFile)(step, { ...planning, ctx })
  const objects = result.isDirectory ? result.items : [{ size: result.size, targetKey: result.targetS3Path }]
  const { config } = step.target
  const replaced = planning.replaced.get(config.id) ?? new Set<string>()
  const keys = objects.map(({ targetKey }) => targetKey).filter((key) => !replaced.has(key))
  planning.replaced.set(config.id, new Set([...replaced, ...keys]))
  const replacedBytes = await indexedBytesOf(ctx, { configId: config.id, keys })
  const before = planning.planned.get(config.id) ?? 0
  const growthBytes = objects.reduce((sum, { size }) => sum + size, before - replacedBytes)
  await requireCapacity(ctx, { config, sizeBytes: Math.max(growthBytes, 0) })
  planning.planned.set(config.id, growthBytes)
  return result
}

interface Planning {
  readonly ctx: Needs<'clock' | 'db' | 'secrets'>
  readonly actor: Actor
  readonly item: TransferItem
  readonly origin: string
  readonly planned: Map<string, number>
  /** Keys in each storage that earlier items write, so that the size of a replaced object is subtracted only once. */
  readonly replaced: Map<string, ReadonlySet<string>>
  /** Receives entries of a folder that cannot be copied. */
  readonly failed: FailedItem[]
}

function commonOf({ source, target }: TransferStep, { item }: Planning) {
  const slash = source.isFolder ? '/' : ''
  const original = `${item.target.replace(/\/$/, '')}${slash}`
  return {
    crossStorage: true as const,
    source: item.source,
    target: `${target.path}${slash}`,
    status: 'success' as const,
    sourceMount: source.mount.id,
    targetMount: target.mount.id,
    renamed: `${target.path}${slash}` !== original,
    originalTarget: original,
    message: 'Copy from downloadUrl to uploadUrl, then commit.',
  }
}

/** Returns signed URLs to read the source and write the target. */
async function addressesOf(
  step: TransferStep,
  { from, toKey, planning }: { from: ObjectStat; toKey: string; planning: Planning },
) {
  const { origin } = planning
  const contentType = inferMimeType(nameOf(toKey))
  const issuer = issuerOf(planning.actor, 'read', step.source.mount.id)
  const options = { expiresInSeconds: URL_SECONDS, contentType, issuer }
  const read = await step.source.driver.links.get(from.key, options)
  const write = await writeAddressOf(step, { from, toKey, planning })
  return {
    contentType,
    size: from.sizeBytes,
    downloadUrl: absoluteUrl(origin, read),
    uploadUrl: absoluteUrl(origin, write),
  }
}

/** Returns a signed URL to write the target. For a local disk, the URL states that the PUT stores the final object. */
async function writeAddressOf(
  { target }: TransferStep,
  { from, toKey, planning }: { from: ObjectStat; toKey: string; planning: Planning },
): Promise<string> {
  const issuer = issuerOf(planning.actor, 'write', target.mount.id)
  const limits = { expiresInSeconds: URL_SECONDS, maxBytes: from.sizeBytes, issuer }
  if (target.driver.kind === 's3') return target.driver.links.put(parseStorageKey(toKey), limits)
  const { secrets, clock, db } = planning.ctx
  const storage = { db, configId: target.config.id }
  if ((await shareObjectsAmong({ secrets }, storage, [toKey], { isWrite: true })).size > 0)
    throw new AppError(fsErrors.path_reserved)
  return signCopyTarget({ configId: target.config.id, secrets, clock }, { key: toKey, ...limits })
}

/** @throws {AppError} `fs.not_found` */
async function planFile(step: TransferStep, planning: Planning): Promise<AcrossResult> {
  const from = await step.source.driver.stat(keyAt(step.source, { isFolder: false }))
  if (!from) throw new AppError(fsErrors.not_found)
  const toKey = step.target.rest
  return {
    ...commonOf(step, planning),
    isDirectory: false,
    sourceS3Path: from.key,
    targetS3Path: toKey,
    fileName: nameOf(toKey),
    ...(await addressesOf(step, { from, toKey, planning })),
  }
}

/**
 * Plans one file of a folder.
 * @returns `null` if the file cannot be copied; the reason is added to `planning.failed`.
 */
async function planObject(
  step: TransferStep,
  { from, prefix, planning }: { from: ObjectStat; prefix: string; planning: Planning },
) {
  const rest = from.key.slice(prefix.length)
  const toKey = prefixOf(step.target) + rest
  try {
    return {
      sourceKey: from.key,
      targetKey: toKey,
      fileName: nameOf(rest),
      relativeDir: parentOf(rest).replace(/\/$/, ''),
      ...(await addressesOf(step, { from, toKey, planning })),
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    planning.failed.push({
      ...planning.item,
      source: pathOfKey(step.source, from.key),
      ...refusalOf(error),
    })
    return null
  }
}

/** @throws {AppError} `fs.not_found`; `fs.too_many` for a folder that is too large for a copy by the client */
async function planFolder(step: TransferStep, planning: Planning): Promise<AcrossResult> {
  const prefix = prefixOf(step.source)
  const items = []
  let found = 0
  for await (const page of walk(step.source.driver, { prefix })) {
    found += page.objects.length + page.unnamed.length
    if (found > CLIENT_COPY_OBJECTS_MAX)
      throw new AppError(fsErrors.too_many, { params: { limit: CLIENT_COPY_OBJECTS_MAX } })
    for (const name of page.unnamed) {
      const failure = { code: fsErrors.names_unusable.code, params: {} }
      planning.failed.push({ ...planning.item, source: pathOfKey(step.source, name), ...failure })
    }
    for (const from of page.objects) {
      if (isFolderKey(from.key)) continue
      const item = await planObject(step, { from, prefix, planning })
      if (item) items.push(item)
    }
  }
  if (found === 0 && step.source.rest !== '') throw new AppError(fsErrors.not_found)
  return { ...commonOf(step, planning), isDirectory: true, items }
}
