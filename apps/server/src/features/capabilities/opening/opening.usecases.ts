import { type OpeningKind, PIN_PATTERN, shareErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { databaseTrouble } from '../../../db/database.ts'
import { AppError } from '../../../lib/app-error.ts'
import { readSettings } from '../../foundation/settings/settings.usecases.ts'
import { previewerOf } from '../../foundation/share-opening/previewers.models.ts'
import { askFirst, pinRuleOf } from '../../foundation/share-opening/share-opening.models.ts'
import {
  admitDevice,
  mayComeBack,
  noteOpened,
  notePreview,
  noteWrongPin,
  openingNotesOf,
} from '../../foundation/share-opening/share-opening.usecases.ts'
import type { Client } from '../files/files.usecases.ts'
import type { OpenableKind } from './openable-kinds.usecases.ts'
import { getAlive, requireIntent, requireUntrapped, spendIntent } from './intents.usecases.ts'
import { deviceHashOf, graceUntil, isReadable, type OpenableShare } from './opening.models.ts'

/** Secrets that a client sends to open a share. */
interface Keys {
  readonly password?: string | null | undefined
  readonly pin?: string | null | undefined
  /** Proves that the client has the link key of a sealed bundle. */
  readonly proof?: string | null | undefined
}

/** Rolls back an opening, because the share has meanwhile expired, been used up or got another link suffix. */
class EndedError extends Error {
  override readonly name = 'EndedError'
}

/**
 * Returns what a visitor must provide to open a share. @throws {AppError} if the share does not exist or has expired
 */
export async function lookAtShare<Share extends OpenableShare, Contents>(
  ctx: Needs<'clock' | 'db'>,
  kind: OpenableKind<Share, Contents>,
  slug: string,
) {
  const share = await kind.get(ctx, slug)
  const end = kind.findEnd(share, ctx.clock.nowMs())
  const isUsedUp = share.max_views !== null && share.views >= share.max_views
  if (end && !isUsedUp) throw new AppError(end)
  const note = (await openingNotesOf(ctx, [share])).get(share.id)
  return { kind: kind.kind, share, isUsedUp, openedAtMs: note?.opened_at_ms ?? null }
}

/** Returns the contents again to a device that may still reopen the share; otherwise `undefined`. */
async function findAgain<Share extends OpenableShare, Contents>(
  ctx: Needs<'clock' | 'db'>,
  kind: OpenableKind<Share, Contents>,
  { share, deviceHash, proof }: { share: Share; deviceHash: string } & Pick<Keys, 'proof'>,
): Promise<Contents | undefined> {
  const nowMs = ctx.clock.nowMs()
  if (!isReadable(share, nowMs) || kind.isProven?.(share, proof) === false) return undefined
  if (!(await mayComeBack(ctx, { shareId: share.id, deviceHash, nowMs }))) return undefined
  return kind.read(ctx, share)
}

/** @throws {AppError} `share.pin_missing`, `share.pin_wrong`; `request.rate_limited` after several wrong PINs */
async function requirePin(
  ctx: Needs<'db' | 'jobs' | 'passwords' | 'secrets' | 'throttles'>,
  { kind, share, network }: { kind: OpeningKind; share: OpenableShare; network: string },
  pin: string | null | undefined,
): Promise<void> {
  const { pin_hash } = share
  if (pin_hash === null) return
  if (!pin) throw new AppError(shareErrors.pin_missing)
  // Input that does not have the form of a PIN does not count as a wrong guess.
  if (!PIN_PATTERN.test(pin)) throw new AppError(shareErrors.pin_wrong)
  const isRight = await ctx.throttles.guess([pinRuleOf(kind, share.id)], () =>
    ctx.passwords.verify(pin_hash, { password: pin, network }),
  )
  if (isRight) return
  noteWrongPin(ctx, share.id)
  throw new AppError(shareErrors.pin_wrong)
}

async function requireKeys<Share extends OpenableShare, Contents>(
  ctx: Needs<'db' | 'jobs' | 'passwords' | 'secrets' | 'throttles'>,
  kind: OpenableKind<Share, Contents>,
  { share, keys, network }: { share: Share; keys: Keys; network: string },
): Promise<void> {
  await kind.requireProof?.(ctx, share, { proof: keys.proof, network })
  if (share.password_hash !== null) {
    if (!keys.password) throw new AppError(kind.errors.password_missing)
    await kind.requirePassword(ctx, share, { password: keys.password, network })
  }
  await requirePin(ctx, { kind: kind.kind, share, network }, keys.pin)
}

interface Opening<Share> {
  readonly share: Share
  /** Hash of the device's token; `null` if the share cannot be reopened. */
  readonly deviceHash: string | null
  /** Number of recorded previews that are only the page load of the person who opens the share. */
  readonly ownPreviews: number
  readonly proof?: string | null | undefined
}

/**
 * Counts a view, unless the device may still come back without one.
 * @returns the contents; `undefined` if no view was counted
 * @throws {AppError} as `getAlive`, or the kind's `not_found`, if the share has ended or changed in the meantime
 */
async function countOpening<Share extends OpenableShare, Contents>(
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs'>,
  kind: OpenableKind<Share, Contents>,
  { share, deviceHash, ownPreviews }: Opening<Share>,
): Promise<Contents | undefined> {
  const { openingGraceMinutes: minutes } = await readSettings(ctx)
  const nowMs = ctx.clock.nowMs()
  const untilMs = deviceHash === null ? nowMs : graceUntil(share, { nowMs, minutes })
  try {
    const opened = await ctx.database.transaction(async (trx) => {
      const isNew =
        deviceHash === null || (await admitDevice(trx, { shareId: share.id, deviceHash, nowMs, untilMs }))
      // Counts no view if a concurrent request of the same device has already opened the share.
      if (!isNew) return undefined
      const contents = await kind.takeView(trx, share, { nowMs, graceUntilMs: untilMs })
      if (!contents) throw new EndedError()
      await noteOpened(trx, share.id, { nowMs, ownPreviews })
      return contents
    })
    if (opened && untilMs <= nowMs) ctx.jobs.background('opening.release', () => kind.release(ctx, share))
    return opened
  } catch (error) {
    if (!(error instanceof EndedError)) throw error
    // Reports why the share did not open: another device used the last view, or the share expired, was deleted or has
    // another link suffix.
    await getAlive(ctx, kind, share.slug)
    throw new AppError(kind.errors.not_found, { cause: error })
  }
}

async function openForDevice<Share extends OpenableShare, Contents>(
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs'>,
  kind: OpenableKind<Share, Contents>,
  opening: Opening<Share> & { readonly deviceHash: string },
): Promise<Contents> {
  const contents = (await countOpening(ctx, kind, opening)) ?? (await findAgain(ctx, kind, opening))
  if (contents) return contents
  throw new AppError(kind.errors.not_found)
}

export interface OpenRequest extends Keys {
  readonly slug: string
  readonly device: string
  readonly intent?: string | null | undefined
  readonly client: Client
}

/**
 * Opens a share. A device that has recently opened it gets the contents again, without a view, an intent or a password.
 * Returns after the commit, so that a client that gets no response can repeat its request.
 * @throws {AppError} as `getAlive`, `requireUntrapped`, `requireIntent`; if the password, the PIN or the proof is
 * missing or wrong
 */
export async function openShare<Share extends OpenableShare, Contents>(
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs' | 'passwords' | 'secrets' | 'throttles' | 'tickets'>,
  kind: OpenableKind<Share, Contents>,
  { slug, device, intent, client, ...keys }: OpenRequest,
): Promise<Contents> {
  const known = await kind.get(ctx, slug)
  const deviceHash = deviceHashOf(device)
  const { proof } = keys
  const again = await findAgain(ctx, kind, { share: known, deviceHash, proof })
  if (again) return again
  const share = await getAlive(ctx, kind, slug)
  await requireUntrapped(ctx, share.id, client)
  // A client needs an intent to guess a password or PIN. A wrong guess does not use up the intent.
  await requireIntent(ctx, share, intent)
  await requireKeys(ctx, kind, { share, keys, network: client.network })
  await spendIntent(ctx, share, intent)
  // Loading the page was recorded as a preview. One preview is subtracted for a browser, because the preview was its
  // own page load. Nothing is subtracted for a known previewer.
  const ownPreviews = previewerOf(client.userAgent) === null ? 1 : 0
  return openForDevice(ctx, kind, { share, deviceHash, ownPreviews, proof })
}

/** Counts a view of a share that opens directly, each time that it is opened. */
async function openDirectly<Share extends OpenableShare, Contents>(
  ctx: Needs<'clock' | 'database' | 'db' | 'passwords' | 'jobs' | 'secrets' | 'throttles'>,
  kind: OpenableKind<Share, Contents>,
  { share, keys, network }: { share: Share; keys: Keys; network: string },
): Promise<Contents> {
  await requireKeys(ctx, kind, { share, keys, network })
  const nowMs = ctx.clock.nowMs()
  try {
    const contents = await ctx.database.transaction((trx) =>
      kind.takeView(trx, share, { nowMs, graceUntilMs: nowMs }),
    )
    if (contents) return contents
  } catch (error) {
    // If the disk is full, shares without a view limit still open, but their views are not counted.
    const isUnlimited = databaseTrouble(error) === 'full' && share.max_views === null
    const contents = isUnlimited ? await kind.read(ctx, share) : undefined
    if (contents) return contents
    throw error
  }
  // Reports why the share did not open: another reader used the last view, or the share expired, was deleted or has
  // another link suffix.
  await getAlive(ctx, kind, share.slug)
  throw new AppError(kind.errors.not_found)
}

/**
 * Opens a share that a page requests. The page does not know in advance which shares require confirmation. If the share
 * requires confirmation, a request without an intent opens it only for a device that may reopen it. Otherwise, the
 * request is recorded as a preview.
 * @throws {AppError} as {@link openShare}; `share.ask_first`
 */
export async function openAnyShare<Share extends OpenableShare, Contents>(
  ctx: Needs<
    'clock' | 'database' | 'db' | 'jobs' | 'passwords' | 'secrets' | 'state' | 'throttles' | 'tickets'
  >,
  kind: OpenableKind<Share, Contents>,
  request: OpenRequest,
): Promise<Contents> {
  const share = await kind.get(ctx, request.slug)
  if (share.opening === 'ask' && request.intent) return openShare(ctx, kind, request)
  const deviceHash = deviceHashOf(request.device)
  const { proof } = request
  const again = share.opening === 'ask' && (await findAgain(ctx, kind, { share, deviceHash, proof }))
  if (again) return again
  const alive = await getAlive(ctx, kind, request.slug)
  if (alive.opening === 'ask') {
    notePreview(ctx, alive.id, previewerOf(request.client.userAgent))
    throw askFirst(kind.kind, alive.slug)
  }
  return openDirectly(ctx, kind, { share: alive, keys: request, network: request.client.network })
}

/**
 * Opens a share for a program that only follows its link. A share that requires confirmation does not open. The request
 * is then recorded as a preview.
 * @throws {AppError} as `getAlive`; `share.ask_first`; if the password, the PIN or the proof is missing or wrong
 */
export async function openPlainly<Share extends OpenableShare, Contents>(
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs' | 'passwords' | 'secrets' | 'state' | 'throttles'>,
  kind: OpenableKind<Share, Contents>,
  { slug, password, client }: { slug: string; password: string | undefined; client: Client },
): Promise<Contents> {
  const share = await getAlive(ctx, kind, slug)
  if (share.opening === 'ask') {
    notePreview(ctx, share.id, previewerOf(client.userAgent))
    throw askFirst(kind.kind, share.slug)
  }
  return openDirectly(ctx, kind, { share, keys: { password }, network: client.network })
}

export interface TakeRequest extends Keys {
  readonly slug: string
  readonly device?: string | null | undefined
  /**
   * Whether the request has the header that links and forms cannot send. The header proves that the client intends to
   * open the share.
   */
  readonly isMeant: boolean
  readonly client: Client
}

/**
 * Opens a share in a single call without an intent, for programs. A call without the header is recorded as a preview.
 * @throws {AppError} as `getAlive` and `requireUntrapped`; `share.ask_first` without the header; if the password, the
 * PIN or the proof is missing or wrong
 */
export async function takeShare<Share extends OpenableShare, Contents>(
  ctx: Needs<
    'clock' | 'database' | 'db' | 'jobs' | 'passwords' | 'secrets' | 'state' | 'throttles' | 'tickets'
  >,
  kind: OpenableKind<Share, Contents>,
  { slug, device, isMeant, client, ...keys }: TakeRequest,
): Promise<Contents> {
  const known = await kind.get(ctx, slug)
  const deviceHash = device ? deviceHashOf(device) : null
  const { proof } = keys
  const mayReturn = isMeant && deviceHash !== null
  const again = mayReturn && (await findAgain(ctx, kind, { share: known, deviceHash, proof }))
  if (again) return again
  const share = await getAlive(ctx, kind, slug)
  if (!isMeant) {
    notePreview(ctx, share.id, previewerOf(client.userAgent))
    throw askFirst(kind.kind, share.slug)
  }
  await requireUntrapped(ctx, share.id, client)
  await requireKeys(ctx, kind, { share, keys, network: client.network })
  if (deviceHash !== null) return openForDevice(ctx, kind, { share, deviceHash, ownPreviews: 0, proof })
  const contents = await countOpening(ctx, kind, { share, deviceHash, ownPreviews: 0 })
  if (contents) return contents
  throw new AppError(kind.errors.not_found)
}
