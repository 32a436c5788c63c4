import { type Opening, type OpeningKind, shareErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { Db } from '../../../schema.ts'
import { type OpeningSettings, openingOf, pinRuleOf } from './share-opening.models.ts'
import { shareOpeningRepository } from './share-opening.repository.ts'
import type { OpeningNoteRow } from './share-opening.table.ts'

interface OpeningRow {
  readonly opening: Opening
  readonly pin_hash: string | null
}

/** Returns the opening columns of a new share. @throws {AppError} `share.pin_needs_ask` */
export async function openingColumns(
  ctx: Needs<'passwords'>,
  settings: OpeningSettings,
): Promise<OpeningRow> {
  const opening = openingOf(settings)
  return { opening, pin_hash: settings.pin === null ? null : await ctx.passwords.hash(settings.pin) }
}

/**
 * Returns the opening columns that an update changes. Absent fields are unchanged. A new PIN makes the share require
 * confirmation.
 * @throws {AppError} `share.pin_needs_ask`
 */
export async function openingChange(
  ctx: Needs<'passwords'>,
  row: OpeningRow,
  { opening = null, pin }: { opening?: Opening | null | undefined; pin?: string | null | undefined },
): Promise<Partial<OpeningRow>> {
  const keepsPin = pin === undefined && row.pin_hash !== null
  if (keepsPin && opening === 'direct') throw new AppError(shareErrors.pin_needs_ask)
  const wanted = openingOf({ opening: opening ?? (pin ? null : row.opening), pin: pin ?? null })
  return {
    ...(wanted === row.opening ? {} : { opening: wanted }),
    ...(pin === undefined ? {} : { pin_hash: pin === null ? null : await ctx.passwords.hash(pin) }),
  }
}

export interface OpenedBy {
  readonly shareId: string
  readonly deviceHash: string
  readonly nowMs: number
}

/** Whether a device that has opened the share is allowed to reopen it. */
export async function mayComeBack(ctx: Needs<'db'>, { shareId, ...device }: OpenedBy): Promise<boolean> {
  return (await shareOpeningRepository(ctx.db).findDevice(shareId, device)) !== undefined
}

/**
 * Allows a device to reopen the share until `untilMs`. Call in the transaction that counts the view. Concurrent calls
 * for the same device run one after the other.
 * @returns whether the device was not allowed before. Otherwise the view must not be counted
 */
export const admitDevice = (
  trx: Db,
  { shareId, deviceHash, nowMs, untilMs }: OpenedBy & { readonly untilMs: number },
): Promise<boolean> =>
  shareOpeningRepository(trx).admitDevice({
    share_id: shareId,
    device_hash: deviceHash,
    opened_at_ms: nowMs,
    expires_at_ms: untilMs,
  })

/**
 * Records an opening. Runs in the transaction of the opening, so that the time is not lost if the server is killed.
 * @param ownPreviews number of previews to subtract, because they are page loads of the person who opens the share
 */
export async function noteOpened(
  trx: Db,
  shareId: string,
  { nowMs, ownPreviews }: { nowMs: number; ownPreviews: number },
): Promise<void> {
  await shareOpeningRepository(trx).noteOpened(shareId, nowMs, ownPreviews)
}

/**
 * Records in the background a preview of a share that requires confirmation: a request that does not open the share.
 * @param name name of the program that sent the request, or `null` if it is a browser or unknown
 */
export function notePreview(
  { clock, db, jobs, state }: Needs<'clock' | 'db' | 'jobs' | 'state'>,
  shareId: string,
  name: string | null,
): void {
  const notes = state.previewNotes
  if (!notes.add(shareId, { nowMs: clock.nowMs(), name })) return
  jobs.background('share-opening.note-preview', () =>
    notes.write(shareId, (previews) => shareOpeningRepository(db).notePreview({ shareId, ...previews })),
  )
}

export function noteWrongPin(ctx: Needs<'db' | 'jobs'>, shareId: string): void {
  ctx.jobs.background('share-opening.note-wrong-pin', async () => {
    await shareOpeningRepository(ctx.db).noteWrongPin(shareId)
  })
}

/** Ends the permission of all devices to reopen the share if a change sets or removes the password or the PIN. */
export async function forgetDevices(
  trx: Db,
  shareId: string,
  change: { readonly password_hash?: unknown; readonly pin_hash?: unknown },
): Promise<void> {
  if (change.password_hash !== undefined || change.pin_hash !== undefined)
    await shareOpeningRepository(trx).forgetDevices(shareId)
}

/**
 * Resets a share as if it had never been opened. Also lifts the limit after wrong PINs. The record of previews and
 * wrong PINs remains.
 * @param arm resets the view count
 * @returns the result of `arm`
 * @throws {AppError} `share.contents_gone` if the share is purged
 */
export async function armShare(
  ctx: Needs<'database' | 'throttles'>,
  { kind, id, purged_at_ms }: { kind: OpeningKind; id: string; purged_at_ms: number | null },
  arm: (trx: Db) => Promise<boolean>,
): Promise<boolean> {
  if (purged_at_ms !== null) throw new AppError(shareErrors.contents_gone)
  const isArmed = await ctx.database.transaction(async (trx) => {
    if (!(await arm(trx))) return false
    await shareOpeningRepository(trx).forgetDevices(id)
    // The next visitor must not see the time of the earlier opening.
    await shareOpeningRepository(trx).forgetOpened(id)
    return true
  })
  if (isArmed) await ctx.throttles.forget(pinRuleOf(kind, id))
  return isArmed
}

/** Returns the opening notes, keyed by share. Leaves out shares that open directly. */
export async function openingNotesOf(
  ctx: Needs<'db'>,
  rows: ReadonlyArray<{ readonly id: string; readonly opening: Opening }>,
): Promise<ReadonlyMap<string, OpeningNoteRow>> {
  const ids = rows.filter(({ opening }) => opening === 'ask').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const notes = await shareOpeningRepository(ctx.db).findNotes(ids)
  return new Map(notes.map((note) => [note.share_id, note]))
}
