import type { Readable } from 'node:stream'
import { fileErrors, requestErrors, storageErrors } from '@dropleaf/contract'
import { parseStorageKey, StorageError } from '@dropleaf/storage'
import type { Needs, StorageNeeds } from '../../../../context.ts'
import { receiveBody } from '../../../../lib/bodies/receive-body.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { formatBytes } from '../../../../lib/sizes.ts'
import { openSignedLink, type SignedGrant, type SignedQuery } from '../../../../storage/signed-links.ts'
import { keyIdOfCreator } from '../../../foundation/identity/actor.models.ts'
import { isJustNow } from '../../../foundation/identity/authenticate.usecases.ts'
import { readSettings } from '../../../foundation/settings/settings.usecases.ts'
import { driverOf, getConfig } from '../../../foundation/storage-configs/storage-configs.usecases.ts'
import { isTooLarge } from '../../../foundation/storage-usage/storage-usage.usecases.ts'
import { filesRepository } from '../files.repository.ts'
import type { FileRow } from '../files.table.ts'
import { shareObjectsAmong } from '../../../foundation/share-objects/share-objects.usecases.ts'
import { findLinkIssuer } from '../share-links.usecases.ts'
import { removalsRepository } from '../objects/removals.repository.ts'
import { carryOutRemovalsSoon } from '../objects/removals.usecases.ts'

/**
 * Interval at which a receiving upload renews its lease. After three missed renewals its process is considered dead.
 */
const HEARTBEAT_MS = 10_000
const LEASE_MS = 3 * HEARTBEAT_MS
const RETRY_SECONDS = 10

interface Sender {
  readonly abort: AbortController
  readonly done: Promise<unknown>
}

/** Running requests that send bytes to this process, by the id of the upload. */
const senders = new Map<string, Sender>()

/**
 * Verifies a signed URL. @throws {AppError} `storage.link_invalid`, also if its issuer has lost the permission;
 * `storage.link_expired`
 */
export async function requireSignedGrant(
  ctx: Needs<'clock' | 'db' | 'secrets'>,
  target: { method: 'GET' | 'PUT'; configId: string; key: string },
  query: SignedQuery,
): Promise<SignedGrant> {
  const { by, right = '', mount } = query
  const issuer = by === undefined ? null : await findLinkIssuer(ctx, { by, right, mount }, target)
  const grant = openSignedLink(ctx.secrets, { ...target, issuer }, query)
  if (!grant) throw new AppError(storageErrors.link_invalid)
  if (grant.expiresAt * 1000 <= ctx.clock.nowMs()) throw new AppError(storageErrors.link_expired)
  if (await isHiddenFrom(ctx, grant)) throw new AppError(storageErrors.link_invalid)
  return grant
}

/**
 * Whether a URL that was issued for a mount points to the object of a share. The share can be newer than the URL.
 */
export async function leadsToShareObject(
  ctx: Needs<'db' | 'secrets'>,
  { method, configId, key, issuer }: SignedGrant,
): Promise<boolean> {
  if (issuer?.mount === undefined) return false
  const isWrite = method === 'PUT'
  return (await shareObjectsAmong(ctx, { db: ctx.db, configId }, [key], { isWrite })).size > 0
}

/**
 * Whether a URL points to the object of a share that its issuer must not see. A setting lets administrators see such
 * objects.
 */
async function isHiddenFrom(ctx: Needs<'db' | 'secrets'>, grant: SignedGrant): Promise<boolean> {
  if (!(await leadsToShareObject(ctx, grant))) return false
  const isOfKey = keyIdOfCreator(grant.issuer?.by ?? '') !== null
  return isOfKey || !(await readSettings(ctx)).showsShareFiles
}

export interface SignedBody {
  readonly source: Readable
  readonly sizeBytes: number | undefined
  /** Called after the last byte. If this function throws, nothing is stored. */
  readonly requireMay: () => Promise<void>
}

/**
 * Returns a function that checks the issuer of a signed URL again, unless its last check is very recent. It throws
 * `storage.link_invalid` if the issuer has lost the permission. It does not check the expiry of the URL, because the
 * expiry matters only at the start.
 * @param askedAtMs when {@link requireSignedGrant} was called
 */
export function stillIssued(
  ctx: Needs<'clock' | 'db'>,
  grant: SignedGrant,
  askedAtMs: number,
): () => Promise<void> {
  const { issuer } = grant
  let lastMs = askedAtMs
  return async () => {
    if (issuer === null || isJustNow(ctx, lastMs)) return
    const nowMs = ctx.clock.nowMs()
    const now = await findLinkIssuer(ctx, issuer, grant)
    if (now?.scope !== issuer.scope) throw new AppError(storageErrors.link_invalid)
    lastMs = nowMs
  }
}

export const tooLargeFor = (grant: SignedGrant, cause?: unknown) =>
  new AppError(fileErrors.too_large, { params: { limit: formatBytes(grant.maxBytes ?? 0) }, cause })

/**
 * Aborts the client's earlier request for the same upload. The connection of the earlier request may still be open
 * although it is broken.
 */
async function endFormerSender(id: string): Promise<void> {
  const former = senders.get(id)
  if (!former) return
  former.abort.abort(new StorageError('storage.incomplete', 'The same upload was restarted.'))
  await former.done.catch(() => undefined)
}

/**
 * Runs `work` as the only sender of an upload. While `work` runs, no other request can send bytes of the upload, and
 * the upload cannot be committed.
 */
async function asOnlySender<T>(
  ctx: Needs<'clock' | 'db' | 'jobs'>,
  id: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await endFormerSender(id)
  const repository = filesRepository(ctx.db)
  const nowMs = ctx.clock.nowMs()
  if (!(await repository.beginReceiving(id, { nowMs, untilMs: nowMs + LEASE_MS }))) {
    const row = await repository.findById(id)
    if (!row || row.committed_at_ms !== null) throw new AppError(storageErrors.link_invalid)
    throw new AppError(requestErrors.unavailable, { retryAfterSeconds: RETRY_SECONDS })
  }
  const beat = setInterval(() => {
    ctx.jobs.background('files.receiving-lease', async () => {
      await repository.prolongReceiving(id, ctx.clock.nowMs() + LEASE_MS)
    })
  }, HEARTBEAT_MS)
  const abort = new AbortController()
  async function send(): Promise<T> {
    try {
      return await work(abort.signal)
    } finally {
      clearInterval(beat)
      await repository.updatePending(id, { receiving_until_ms: null })
      if (senders.get(id)?.abort === abort) senders.delete(id)
    }
  }
  const done = send()
  senders.set(id, { abort, done })
  return done
}

/**
 * Receives an upload that a client sends to a signed URL of the local disk. The client can send the upload repeatedly
 * until the commit.
 * @returns the etag of the stored bytes
 * @throws {AppError} `storage.link_invalid` if the upload is committed or aborted, `file.too_large`,
 *   `request.unavailable` while another process receives the same upload
 */
export async function receiveSignedPut(
  ctx: StorageNeeds & Needs<'database' | 'log'>,
  grant: SignedGrant,
  sent: SignedBody,
): Promise<string> {
  const row = await filesRepository(ctx.db).findByObject(grant.configId, grant.key)
  if (!row) throw new AppError(storageErrors.link_invalid)
  const { sizeBytes } = sent
  if (grant.maxBytes !== null && sizeBytes !== undefined && sizeBytes > grant.maxBytes)
    throw tooLargeFor(grant)
  return asOnlySender(ctx, row.id, (signal) => storeSent(ctx, { ...sent, row, grant, signal }))
}

interface Sent extends SignedBody {
  readonly row: FileRow
  readonly grant: SignedGrant
  readonly signal: AbortSignal
}

async function storeSent(
  ctx: StorageNeeds & Needs<'database' | 'log'>,
  { row, grant, source, sizeBytes, requireMay, signal }: Sent,
): Promise<string> {
  const driver = await driverOf(ctx, await getConfig(ctx, grant.configId))
  const options = { sizeBytes, maxBytes: grant.maxBytes ?? undefined, signal }
  try {
    const { body, sha256 } = await receiveBody(source, { sizeBytes, beforeEnd: requireMay, signal })
    const stat = await driver.write(parseStorageKey(grant.key), body, options)
    const change = { etag: stat.etag, sha256: sha256() }
    const isKept = await filesRepository(ctx.db).updatePending(row.id, change)
    if (!isKept) await removeUnlessTaken(ctx, grant)
    return stat.etag
  } catch (error) {
    throw isTooLarge(error) ? tooLargeFor(grant, error) : error
  }
}

/** Deletes the bytes if the upload was aborted while they arrived. */
async function removeUnlessTaken(
  ctx: StorageNeeds & Needs<'database' | 'log'>,
  grant: SignedGrant,
): Promise<void> {
  if (await filesRepository(ctx.db).findByObject(grant.configId, grant.key)) return
  const object = { storage_config_id: grant.configId, storage_key: grant.key }
  await removalsRepository(ctx.db).add(object, ctx.clock.nowMs())
  carryOutRemovalsSoon(ctx)
}
