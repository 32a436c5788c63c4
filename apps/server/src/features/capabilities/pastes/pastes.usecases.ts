import {
  findSlugProblem,
  type ParsedOf,
  pasteErrors,
  type pasteRoutes,
  type PasteSort,
  requestErrors,
  TOMBSTONE_SECONDS,
} from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { databaseTrouble } from '../../../db/database.ts'
import { withFreeSlug } from '../../../db/free-slug.ts'
import type { ShareQuery } from '../../../db/share-queries.ts'
import { shareGuessRules } from '../../../throttles/throttles.ts'
import { AppError } from '../../../lib/app-error.ts'
import { isOfDigest } from '../../../lib/passwords.ts'
import { newId } from '../../../lib/ids.ts'
import { pasteSearchText } from '../../../lib/search-text.ts'
import { toStoredLimit } from '../../../lib/view-limits.ts'
import { type Actor, creatorOf, ownerFilter } from '../../foundation/identity/actor.models.ts'
import { nextVersionMs, replacePaste } from './paste-changes.usecases.ts'
import { findEnd } from './pastes.models.ts'
import { pastesRepository } from './pastes.repository.ts'
import type { PasteRow, VisitedPaste } from './pastes.table.ts'

type CreateInput = ParsedOf<typeof pasteRoutes.create, 'body'>
type UpdateInput = ParsedOf<typeof pasteRoutes.adminUpdate, 'body'>

/** Retries if a share changes concurrently. */
const TRIES = 5
const SWEEP_BATCH_ROWS = 500

export const pastePasswordContext = (id: string): string => `paste-password:${id}`

/** A hash for verification and a sealed copy for the owner; both `null` without a password. */
async function protect(ctx: Needs<'passwords' | 'secrets'>, id: string, password: string | null) {
  if (password === null) return { password_hash: null, password_sealed: null }
  return {
    password_hash: await ctx.passwords.hash(password),
    password_sealed: ctx.secrets.seal(password, pastePasswordContext(id)),
  }
}

/** Factor for the text, its search text, its revision, and the database's log. */
const ROOM_FACTOR = 4

const roomFor = (content: string): number => Buffer.byteLength(content) * ROOM_FACTOR

/**
 * Shares a text.
 * @param input `id` identifies the share across repetitions: an existing one was created by an attempt whose response was lost,
 *   and is returned.
 * @throws {AppError} `paste.slug_taken`, also for concurrent requests of the same suffix
 */
export async function createPaste(
  ctx: Needs<'clock' | 'database' | 'db' | 'passwords' | 'room' | 'secrets'>,
  actor: Actor,
  input: CreateInput & { readonly id: string | null },
): Promise<PasteRow> {
  const findMade = async () => (input.id === null ? undefined : pastesRepository(ctx.db).findById(input.id))
  const made = await findMade()
  if (made) return made
  await ctx.room.take(roomFor(input.content))
  const id = input.id ?? newId()
  const nowMs = ctx.clock.nowMs()
  const row: Omit<PasteRow, 'slug'> = {
    id,
    content: input.content,
    content_type: input.content_type,
    remark: input.remark,
    ...(await protect(ctx, id, input.password)),
    expires_at_ms: input.expiresAt,
    max_views: toStoredLimit(input.maxViews),
    views: 0,
    purged_at_ms: null,
    created_by: creatorOf(actor),
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    search_text: pasteSearchText(input.remark, input.content),
  }
  try {
    return await withFreeSlug({
      wanted: input.slug,
      taken: pasteErrors.slug_taken,
      async save(slug) {
        await saveNew(ctx, { ...row, slug }, input.slug !== null)
        return { ...row, slug }
      },
    })
  } catch (error) {
    // A concurrent attempt with the same id may have created it meanwhile.
    const madeMeanwhile = await findMade()
    if (madeMeanwhile) return madeMeanwhile
    throw error
  }
}

/** A chosen suffix may replace an ended share. */
async function saveNew(ctx: Needs<'database' | 'db'>, row: PasteRow, isChosen: boolean): Promise<void> {
  if (!isChosen) {
    await pastesRepository(ctx.db).insert(row)
    return
  }
  await ctx.database.transaction(async (trx) => {
    await pastesRepository(trx).deleteOverBySlug(row.slug, row.created_at_ms)
    await pastesRepository(trx).insert(row)
  })
}

/** The response to a visitor without a password: the text, or that a password is needed. */
export type PasteAnswer =
  | { readonly kind: 'open'; readonly row: VisitedPaste }
  | { readonly kind: 'locked'; readonly row: VisitedPaste }

/** @throws {AppError} `paste.not_found`, `paste.expired`, `paste.used_up` */
async function getAlive(ctx: Needs<'clock' | 'db'>, slug: string): Promise<PasteRow> {
  const row = await pastesRepository(ctx.db).findBySlug(slug)
  if (!row) throw new AppError(pasteErrors.not_found)
  const end = findEnd(row, ctx.clock.nowMs())
  if (end) throw new AppError(end)
  return row
}

/** If the disk is full, views of unlimited texts are not counted, but still allowed. @throws the original error otherwise */
async function lookUncounted(ctx: Needs<'clock' | 'db'>, slug: string, error: unknown): Promise<PasteRow> {
  if (databaseTrouble(error) !== 'full') throw error
  const row = await getAlive(ctx, slug)
  if (row.max_views !== null || row.password_hash !== null) throw error
  return row
}

/**
 * Reads a share for a visitor. An open one costs a view; a protected one is returned locked and costs none.
 * @throws {AppError} `paste.not_found` for an unknown suffix; `paste.expired`, `paste.used_up`
 */
export async function readPaste(ctx: Needs<'clock' | 'db'>, slug: string): Promise<PasteAnswer> {
  const repository = pastesRepository(ctx.db)
  for (let tries = 1; ; tries += 1) {
    const viewed = await repository
      .takeView({ slug, nowMs: ctx.clock.nowMs() })
      .catch((error: unknown) => lookUncounted(ctx, slug, error))
    if (viewed) return { kind: 'open', row: viewed }
    const row = await getAlive(ctx, slug)
    if (row.password_hash !== null) return { kind: 'locked', row }
    // The share changed between the two statements: its password was removed, or its limit raised. Retry.
    if (tries >= TRIES) throw new AppError(requestErrors.unavailable)
  }
}

/** @throws {AppError} `paste.no_password`, `paste.password_wrong`, `request.rate_limited` */
async function requirePassword(
  ctx: Needs<'db' | 'jobs' | 'passwords' | 'secrets' | 'throttles'>,
  row: PasteRow,
  { password, network }: { password: string; network: string },
): Promise<void> {
  if (row.password_hash === null) throw new AppError(pasteErrors.no_password)
  const rules = shareGuessRules(`paste:${row.id}`, network)
  const { password_hash } = row
  const isRight = await ctx.throttles.guess(rules, () =>
    ctx.passwords.verify(password_hash, { password, network }),
  )
  if (!isRight) throw new AppError(pasteErrors.password_wrong)
  if (isOfDigest(password_hash))
    ctx.jobs.background('pastes.renew-password', async () => {
      const renewed = await protect(ctx, row.id, password)
      await pastesRepository(ctx.db).renewPassword(row.id, password_hash, renewed)
    })
}

/**
 * Reads a protected share; costs one view if the password is right.
 * @param network of the caller, for counting guesses.
 * @throws {AppError} as {@link readPaste}; `paste.no_password`, `paste.password_wrong`, `request.rate_limited`
 */
export async function unlockPaste(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'passwords' | 'secrets' | 'throttles'>,
  slug: string,
  { password, network }: { password: string; network: string },
): Promise<VisitedPaste> {
  const row = await getAlive(ctx, slug)
  await requirePassword(ctx, row, { password, network })
  const viewed = await pastesRepository(ctx.db).takeUnlockedView({ slug, nowMs: ctx.clock.nowMs() })
  if (viewed?.id === row.id) return viewed
  // The last view was taken during the password check.
  await getAlive(ctx, slug)
  throw new AppError(pasteErrors.not_found)
}

/**
 * The plain text, of an open or protected share.
 * @throws {AppError} as {@link readPaste} and {@link unlockPaste}; `paste.password_missing`
 */
export async function readRaw(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'passwords' | 'secrets' | 'throttles'>,
  slug: string,
  { password, network }: { password: string | undefined; network: string },
): Promise<VisitedPaste> {
  if (password) {
    const row = await getAlive(ctx, slug)
    if (row.password_hash !== null) return unlockPaste(ctx, slug, { password, network })
  }
  const answer = await readPaste(ctx, slug)
  if (answer.kind === 'locked') throw new AppError(pasteErrors.password_missing)
  return answer.row
}

/** Checks whether {@link readRaw} would succeed, for a HEAD; costs no view. @throws {AppError} as `readRaw` */
export async function checkRaw(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'passwords' | 'secrets' | 'throttles'>,
  slug: string,
  { password, network }: { password: string | undefined; network: string },
): Promise<void> {
  const row = await getAlive(ctx, slug)
  if (row.password_hash === null) return
  if (!password) throw new AppError(pasteErrors.password_missing)
  await requirePassword(ctx, row, { password, network })
}

/** The share for its owner, by id or slug. Costs no view. @throws {AppError} `paste.not_found`, also for someone else's */
export async function getOwnPaste(
  ctx: Needs<'db' | 'secrets'>,
  actor: Actor,
  idOrSlug: string,
): Promise<{ row: PasteRow; password: string | null }> {
  const row = await pastesRepository(ctx.db).findForOwner(idOrSlug, ownerFilter(actor))
  if (!row) throw new AppError(pasteErrors.not_found)
  return {
    row,
    password:
      row.password_sealed === null
        ? null
        : ctx.secrets.open(row.password_sealed, pastePasswordContext(row.id)),
  }
}

function requireSlug(text: string): string {
  const problem = findSlugProblem(text)
  if (problem) {
    throw new AppError(requestErrors.invalid, {
      params: { detail: `newSlug: ${problem}` },
      details: [{ path: 'body.newSlug', message: `slug problem: ${problem}` }],
    })
  }
  return text
}

async function passwordChange(ctx: Needs<'passwords' | 'secrets'>, id: string, input: UpdateInput) {
  if (input.password !== null) return protect(ctx, id, input.password)
  return input.clearPassword ? protect(ctx, id, null) : {}
}

/** The columns that an update changes. */
async function changeOf(
  ctx: Needs<'passwords' | 'secrets'>,
  row: PasteRow,
  input: UpdateInput,
  nowMs: number,
) {
  return {
    content: input.content,
    ...(input.content_type === undefined ? {} : { content_type: input.content_type }),
    remark: input.remark,
    expires_at_ms: input.expiresAt,
    max_views: toStoredLimit(input.maxViews),
    ...(await passwordChange(ctx, row.id, input)),
    updated_at_ms: nextVersionMs(row, nowMs),
    search_text: pasteSearchText(input.remark, input.content),
  }
}

interface UpdatedPaste {
  readonly id: string
  readonly slug: string
  readonly updatedAtMs: number
}

/**
 * Replaces a share. Absent remark, expiry and limit are cleared; the password is unchanged unless set or cleared; an absent
 * `newSlug` keeps the suffix, a blank one requests a random one. Stores the previous version as a revision.
 * @throws {AppError} `paste.not_found`, `paste.expired`, `paste.used_up`, `paste.slug_taken`, `request.invalid`;
 *   `paste.changed` if it is not the expected version.
 */
export async function updatePaste(
  ctx: Needs<'clock' | 'database' | 'db' | 'passwords' | 'room' | 'secrets'>,
  actor: Actor,
  idOrSlug: string,
  input: UpdateInput,
): Promise<UpdatedPaste> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await updateOnce(ctx, actor, idOrSlug, input)
    } catch (error) {
      const isOvertaken = error instanceof AppError && error.spec === pasteErrors.changed
      // Without an expected version, the current one is meant.
      if (!isOvertaken || input.expectedUpdatedAt !== null || tries >= TRIES) throw error
    }
  }
}

async function updateOnce(
  ctx: Needs<'clock' | 'database' | 'db' | 'passwords' | 'room' | 'secrets'>,
  actor: Actor,
  idOrSlug: string,
  input: UpdateInput,
): Promise<UpdatedPaste> {
  const { row } = await getOwnPaste(ctx, actor, idOrSlug)
  const nowMs = ctx.clock.nowMs()
  const end = findEnd(row, nowMs)
  if (end) throw new AppError(end)
  if (input.expectedUpdatedAt !== null && input.expectedUpdatedAt !== row.updated_at_ms)
    throw new AppError(pasteErrors.changed)
  await ctx.room.take(roomFor(input.content))
  const change = await changeOf(ctx, row, input, nowMs)
  const wanted = input.newSlug?.trim()
  if (input.newSlug === undefined || wanted === row.slug) {
    await ctx.database.transaction((trx) => replacePaste(trx, { row, change, nowMs }))
    return { id: row.id, slug: row.slug, updatedAtMs: change.updated_at_ms }
  }
  return withFreeSlug({
    wanted: wanted ? requireSlug(wanted) : null,
    taken: pasteErrors.slug_taken,
    save: (slug) =>
      ctx.database.transaction(async (trx) => {
        await pastesRepository(trx).deleteOverBySlug(slug, nowMs)
        await replacePaste(trx, { row, change: { ...change, slug }, nowMs })
        return { id: row.id, slug, updatedAtMs: change.updated_at_ms }
      }),
  })
}

/** @throws {AppError} `paste.not_found` */
export async function deletePaste(ctx: Needs<'db'>, actor: Actor, idOrSlug: string): Promise<void> {
  if ((await deletePastes(ctx, actor, [idOrSlug])) === 0) throw new AppError(pasteErrors.not_found)
}

/** Deletes the caller's shares by id or slug; returns how many existed. */
export const deletePastes = (
  ctx: Needs<'db'>,
  actor: Actor,
  idsOrSlugs: readonly string[],
): Promise<number> => pastesRepository(ctx.db).delete(idsOrSlugs, ownerFilter(actor))

export interface PasteListQuery {
  readonly query: ShareQuery
  readonly sort: PasteSort | null
  readonly order: 'asc' | 'desc' | null
  readonly limit: number
  readonly offset: number
  /** Number of characters of each content to return. */
  readonly previewCharacters: number
}

/** A page of matching shares, newest first by default, with their total. */
export async function listPastes(
  ctx: Needs<'clock' | 'db'>,
  { query, sort, order, ...page }: PasteListQuery,
) {
  const repository = pastesRepository(ctx.db)
  const nowMs = ctx.clock.nowMs()
  const listing = { query, nowMs, sort: sort ?? 'created', order: order ?? 'desc', ...page } as const
  const [rows, total] = await Promise.all([repository.list(listing), repository.count(query, nowMs)])
  return { rows, total }
}

/** A row of a list, without secrets, with truncated content. */
export type ListedPaste = Awaited<ReturnType<typeof listPastes>>['rows'][number]

async function repeatWhileFull(turn: () => Promise<number>, signal?: AbortSignal): Promise<number> {
  let total = 0
  for (;;) {
    const done = await turn()
    total += done
    if (done < SWEEP_BATCH_ROWS || signal?.aborted) return total
  }
}

/** Purges every expired or used-up share at once, of one creator or all. Returns how many. */
export const purgeOverPastes = (
  ctx: Needs<'clock' | 'db'>,
  { createdBy, signal }: { createdBy?: string | undefined; signal?: AbortSignal } = {},
): Promise<number> =>
  repeatWhileFull(
    () => pastesRepository(ctx.db).purgeOver(ctx.clock.nowMs(), { limit: SWEEP_BATCH_ROWS, createdBy }),
    signal,
  )

/** One run of the sweep: purges ended shares, and deletes old tombstones. */
export async function sweepPastes(ctx: Needs<'clock' | 'db'>, signal: AbortSignal): Promise<void> {
  await purgeOverPastes(ctx, { signal })
  const beforeMs = ctx.clock.nowMs() - TOMBSTONE_SECONDS * 1000
  await repeatWhileFull(() => pastesRepository(ctx.db).deleteTombstones(beforeMs, SWEEP_BATCH_ROWS), signal)
}

/** Number of active shares, and of those created per day from `sinceMs` on. */
export async function pasteFigures(ctx: Needs<'db'>, sinceMs: number) {
  const repository = pastesRepository(ctx.db)
  const [total, createdByDay] = await Promise.all([repository.count(), repository.createdByDay(sinceMs)])
  return { total, createdByDay }
}
