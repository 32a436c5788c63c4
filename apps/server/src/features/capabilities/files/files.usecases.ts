import { fileErrors, storageErrors } from '@dropleaf/contract'
import type { ByteRange, ReadResult } from '@dropleaf/storage'
import type { Needs, StorageNeeds } from '../../../context.ts'
import { databaseTrouble } from '../../../db/database.ts'
import { shareGuessRules } from '../../../throttles/throttles.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { BytesPlan } from '../../../lib/bodies/byte-range.ts'
import { isOfDigest } from '../../../lib/passwords.ts'
import { keyOnRecord } from '../../../storage/key-on-record.ts'
import { driverOf, getConfig } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import { previewerOf } from '../../foundation/share-opening/previewers.models.ts'
import { askFirst } from '../../foundation/share-opening/share-opening.models.ts'
import { notePreview } from '../../foundation/share-opening/share-opening.usecases.ts'
import { findEnd, hasExpired, isUsedUp } from './files.models.ts'
import { filesRepository } from './files.repository.ts'
import type { FileRow } from './files.table.ts'
import { sharesReplaced } from './objects/shared-objects.usecases.ts'
import { isTicketValid } from './tickets.models.ts'
import { sealContext } from './uploads/uploads.usecases.ts'
import { viewGrantsRepository } from './view-grants.repository.ts'

const GRANT_MS = 3_600_000
/** Response kinds that contain no bytes of the file and therefore use no view. */
const WITHOUT_BYTES: ReadonlySet<string> = new Set([
  'head',
  'not_modified',
  'condition_failed',
  'unsatisfiable',
])

/**
 * Finds a share by its link suffix, not by its id. Visitors know the id, but the id must not open the share after the
 * suffix has changed.
 * @throws {AppError} `file.not_found`, also while the upload is pending
 */
async function getShare(ctx: Needs<'db'>, slug: string): Promise<FileRow> {
  const row = await filesRepository(ctx.db).findBySlug(slug)
  if (!row || row.committed_at_ms === null) throw new AppError(fileErrors.not_found)
  return row
}

/** @throws {AppError} `file.expired`, `file.used_up` */
function requireAlive(ctx: Needs<'clock'>, row: FileRow): void {
  const end = findEnd(row, ctx.clock.nowMs())
  if (end) throw new AppError(end)
}

/**
 * Refuses direct access to a share whose visitors must confirm before it opens, and records the attempt as a preview.
 * @throws {AppError} `share.ask_first`
 */
function requireDirect(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'state'>,
  row: FileRow,
  { userAgent }: Client,
): void {
  if (row.opening !== 'ask') return
  notePreview(ctx, row.id, previewerOf(userAgent))
  throw askFirst('file', row.slug)
}

/**
 * Finds a share that opens without confirmation.
 * @throws {AppError} `file.not_found`, `file.expired`, `file.used_up`, `share.ask_first`
 */
async function getDirect(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'state'>,
  slug: string,
  client: Client,
): Promise<FileRow> {
  const row = await getShare(ctx, slug)
  requireAlive(ctx, row)
  requireDirect(ctx, row, client)
  return row
}

async function takeView(ctx: Needs<'clock' | 'db'>, row: FileRow): Promise<FileRow> {
  const viewed = await filesRepository(ctx.db)
    .takeView(row.id, ctx.clock.nowMs())
    .catch((error: unknown) => {
      // If the disk is full, shares without a view limit still open, but their views are not counted.
      if (databaseTrouble(error) === 'full' && row.max_views === null) return row
      throw error
    })
  if (viewed) return viewed
  // Reports why no view was counted: another client used the last view, or the share has expired.
  const now = await filesRepository(ctx.db).findById(row.id)
  if (now) requireAlive(ctx, now)
  throw new AppError(fileErrors.not_found)
}

/** Identifies a client, to limit its requests and to count its views. */
export interface Client {
  readonly network: string
  readonly userAgent: string
}

const clientHash = (ctx: Needs<'secrets'>, { network, userAgent }: Client) =>
  ctx.secrets.fingerprint(`${network} ${userAgent}`)

/**
 * Counts a view. If the share has a view limit, the client can then read further ranges without another view, within an
 * hour and up to the size of the file; see {@link admit}.
 */
async function takeCountedView(
  ctx: Needs<'clock' | 'db' | 'secrets'>,
  row: FileRow,
  client: Client,
): Promise<FileRow> {
  const viewed = await takeView(ctx, row)
  if (row.max_views !== null) {
    const expires_at_ms = ctx.clock.nowMs() + GRANT_MS
    await viewGrantsRepository(ctx.db).upsert({
      file_id: row.id,
      client_hash: clientHash(ctx, client),
      expires_at_ms,
      remaining_bytes: row.size_bytes,
    })
  }
  return viewed
}

export async function isPasswordRight(
  ctx: Needs<'db' | 'jobs' | 'passwords' | 'secrets' | 'throttles'>,
  row: Pick<FileRow, 'id' | 'password_hash'>,
  { password, network }: { password: string; network: string },
): Promise<boolean> {
  if (row.password_hash === null) return true
  const rules = shareGuessRules(`file:${row.id}`, network)
  const { password_hash } = row
  const isRight = await ctx.throttles.guess(rules, () =>
    ctx.passwords.verify(password_hash, { password, network }),
  )
  if (isRight && isOfDigest(password_hash))
    ctx.jobs.background('files.renew-password', async () => {
      const renewed = await ctx.passwords.hash(password)
      await filesRepository(ctx.db).renewPassword(row.id, password_hash, {
        password_hash: renewed,
        password_sealed: ctx.secrets.seal(password, sealContext(row.id)),
      })
    })
  return isRight
}

/**
 * Shows a share to a visitor. Showing an unprotected share uses a view. A protected share stays locked, and no view is
 * used.
 * @throws {AppError} `file.not_found`, `file.expired`, `file.used_up`, `share.ask_first`
 */
export async function readFile(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'secrets' | 'state'>,
  slug: string,
  client: Client,
): Promise<{ row: FileRow; isLocked: boolean }> {
  const row = await getDirect(ctx, slug, client)
  if (row.password_hash !== null) return { row, isLocked: true }
  return { row: await takeCountedView(ctx, row, client), isLocked: false }
}

/** Checks whether {@link readFile} would succeed, without using a view. @throws {AppError} as `readFile` */
export async function checkFile(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'state'>,
  slug: string,
  client: Client,
): Promise<void> {
  await getDirect(ctx, slug, client)
}

/**
 * Opens a protected share and uses a view.
 * @throws {AppError} as {@link readFile}; `file.no_password`, `file.password_wrong`, `request.rate_limited`
 */
export async function unlockFile(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'passwords' | 'secrets' | 'state' | 'throttles'>,
  slug: string,
  { password, client }: { password: string; client: Client },
): Promise<FileRow> {
  const row = await getDirect(ctx, slug, client)
  if (row.password_hash === null) throw new AppError(fileErrors.no_password)
  if (!(await isPasswordRight(ctx, row, { password, network: client.network })))
    throw new AppError(fileErrors.password_wrong)
  return takeCountedView(ctx, row, client)
}

/** The response is a URL for an online viewer. A client that has opened the share's page has already used a view. */
export interface ViewerPlan {
  readonly kind: 'viewer'
}

export interface ByteRequest {
  readonly password: string | undefined
  readonly ticket: string | undefined
  readonly client: Client
  /** Returns what the response will contain. */
  readonly plan: (row: FileRow) => BytesPlan | ViewerPlan
}

/**
 * Returns the number of bytes to deduct from the client's earlier view, or `null` if the request starts a new download.
 */
function laterBytes(plan: BytesPlan | ViewerPlan): number | null {
  if (plan.kind === 'viewer') return 0
  if (plan.kind !== 'part' || plan.range.firstByte === 0) return null
  return plan.range.lastByte - plan.range.firstByte + 1
}

/**
 * Checks whether a request is allowed to read the bytes. A ticket is enough. Without a ticket, shares that require
 * confirmation are refused, and each download of a share with a view limit uses a view. The view covers further ranges
 * for the same client within an hour, up to the size of the file. That many bytes are enough to resume a download, but
 * not to download the file twice.
 */
async function admit(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'passwords' | 'secrets' | 'state' | 'throttles'>,
  row: FileRow,
  request: ByteRequest,
): Promise<void> {
  const nowMs = ctx.clock.nowMs()
  if (hasExpired(row, nowMs)) throw new AppError(fileErrors.expired)
  if (request.ticket !== undefined && isTicketValid(ctx.secrets, row, { ticket: request.ticket, nowMs }))
    return
  if (row.opening === 'ask') {
    requireAlive(ctx, row)
    requireDirect(ctx, row, request.client)
  }
  if (request.ticket !== undefined && !request.password) throw new AppError(fileErrors.link_invalid)
  if (row.password_hash !== null) {
    if (!request.password)
      throw new AppError(isUsedUp(row) ? fileErrors.used_up : fileErrors.password_missing)
    if (!(await isPasswordRight(ctx, row, { password: request.password, network: request.client.network })))
      throw new AppError(fileErrors.link_password_wrong)
  }
  if (row.max_views === null) return
  const plan = request.plan(row)
  const isWithoutBytes = WITHOUT_BYTES.has(plan.kind)
  if (isWithoutBytes) return requireAlive(ctx, row)
  const bytes = laterBytes(plan)
  const isPaid =
    bytes !== null &&
    (await viewGrantsRepository(ctx.db).take({
      fileId: row.id,
      clientHash: clientHash(ctx, request.client),
      bytes,
      nowMs,
    }))
  if (isPaid) return
  await takeCountedView(ctx, row, request.client)
}

/**
 * Finds the share by its link suffix, and checks that the request is allowed to read its bytes. Counts a view if
 * necessary.
 * @throws {AppError} `file.not_found`, `file.expired`, `file.used_up`, `file.password_missing`,
 *   `file.link_password_wrong`, `file.link_invalid`, `request.rate_limited`, `share.ask_first`
 */
export async function openFile(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'passwords' | 'secrets' | 'state' | 'throttles'>,
  slug: string,
  request: ByteRequest,
): Promise<FileRow> {
  const row = await getShare(ctx, slug)
  await admit(ctx, row, request)
  return row
}

/**
 * Refuses a signed URL of this server if the share of the object has expired. @throws {AppError} `storage.link_expired`
 */
export async function requireObjectAlive(
  ctx: Needs<'clock' | 'db'>,
  object: { configId: string; key: string },
): Promise<void> {
  const row = await filesRepository(ctx.db).findByObject(object.configId, object.key)
  const isOwned = row?.owns_object === 1
  if (isOwned && hasExpired(row, ctx.clock.nowMs())) throw new AppError(storageErrors.link_expired)
}

/**
 * Returns the bytes of a share. The caller must read the body to its end or destroy it. Updates the share if its object
 * was replaced directly in the storage.
 * @throws {StorageError}
 */
export async function readBytes(
  ctx: StorageNeeds,
  row: FileRow,
  {
    range,
    signal,
  }: { readonly range?: ByteRange | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<ReadResult> {
  const driver = await driverOf(ctx, await getConfig(ctx, row.storage_config_id))
  const result = await driver.read(keyOnRecord(driver, row.storage_key), {
    range,
    signal,
    sizeBytes: row.size_bytes,
  })
  if (result.stat.etag !== row.etag) {
    ctx.jobs.background('files.learn-replaced', () =>
      sharesReplaced(ctx, { configId: row.storage_config_id, objects: [result.stat] }),
    )
  }
  return result
}
