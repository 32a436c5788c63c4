import { bundleErrors } from '@dropleaf/contract'
import type { Needs } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { contentDisposition } from '../../../../lib/bodies/content-headers.ts'
import { keyOnRecord } from '../../../../storage/key-on-record.ts'
import { driverOf, getConfig } from '../../../foundation/storage-configs/storage-configs.usecases.ts'
import type { FileRow } from '../../files/files.table.ts'
import { bundleObjectsRepository } from '../bundle-objects.repository.ts'
import { bundleRevisionsRepository } from '../bundle-revisions.repository.ts'
import { findEnd, hasExpired, numbersIn } from '../bundles.models.ts'
import type { BundleRow } from '../bundles.table.ts'
import { checkTicket } from '../reading/items.usecases.ts'
import { getBundleToOpen } from '../reading/opened-bundles.usecases.ts'

/** Longest validity of the URL of an object. After this time, a client requests a new URL. */
const ADDRESS_SECONDS = 3600

/**
 * Finds a bundle that can be opened. A used-up bundle is found until its contents are deleted, because a device that
 * has opened it may open it again within the grace.
 * @throws {AppError} `bundle.not_found`, `bundle.expired`, `bundle.used_up`
 */
export async function lookAtBundle(ctx: Needs<'clock' | 'db'>, slug: string): Promise<BundleRow> {
  const row = await getBundleToOpen(ctx, slug)
  const nowMs = ctx.clock.nowMs()
  const end = hasExpired(row, nowMs) ? findEnd(row, nowMs) : null
  if (end) throw new AppError(end)
  return row
}

interface AskedObjects {
  readonly slug: string
  readonly ticket: string
  readonly numbers: readonly number[]
}

/**
 * Finds encrypted objects of the revision that a ticket reads.
 * @throws {AppError} as `checkTicket`; `bundle.not_sealable`, `bundle.object_missing`
 */
export async function findSealedObjects(
  ctx: Needs<'clock' | 'db' | 'secrets'>,
  { slug, ticket, numbers }: AskedObjects,
): Promise<FileRow[]> {
  const { row, revision } = await checkTicket(ctx, { slug, ticket })
  if (row.sealed === null) throw new AppError(bundleErrors.not_sealable)
  const found = await bundleRevisionsRepository(ctx.db).findObjects(row.id, revision)
  if (!found) throw new AppError(bundleErrors.ticket_invalid)
  const named = numbersIn([found])
  const wanted = [...new Set(numbers)]
  const rows = await bundleObjectsRepository(ctx.db).findComplete(row.id, wanted)
  const byNumber = new Map(rows.map((object) => [object.object_number, object]))
  return wanted.map((number) => {
    const object = named.has(number) ? byNumber.get(number) : undefined
    if (!object) throw new AppError(bundleErrors.object_missing)
    return object
  })
}

export interface ObjectAddress {
  readonly n: number
  readonly sizeBytes: number
  /** Signed URL; `null` if the storage is the disk of this server. */
  readonly url: string | null
  readonly expiresAtMs: number
}

async function addressOf(
  ctx: Needs<'clock' | 'db' | 'storage'>,
  { object_number, size_bytes, storage_config_id, storage_key }: FileRow,
): Promise<ObjectAddress> {
  const config = await getConfig(ctx, storage_config_id)
  const driver = await driverOf(ctx, config)
  const n = object_number ?? 0
  const expiresInSeconds = Math.min(ADDRESS_SECONDS, config.signature_expires_in)
  const options = {
    expiresInSeconds,
    contentType: 'application/octet-stream',
    contentDisposition: contentDisposition('attachment', `${n}.dls`),
  }
  const isHere = driver.kind === 'disk'
  return {
    n,
    sizeBytes: size_bytes,
    url: isHere ? null : await driver.links.get(keyOnRecord(driver, storage_key), options),
    expiresAtMs: ctx.clock.nowMs() + expiresInSeconds * 1000,
  }
}

/** Returns URLs of encrypted objects in their storages. @throws {AppError} as {@link findSealedObjects} */
export async function addressObjects(
  ctx: Needs<'clock' | 'db' | 'secrets' | 'storage'>,
  asked: AskedObjects,
): Promise<ObjectAddress[]> {
  const addresses: ObjectAddress[] = []
  for (const row of await findSealedObjects(ctx, asked)) addresses.push(await addressOf(ctx, row))
  return addresses
}
