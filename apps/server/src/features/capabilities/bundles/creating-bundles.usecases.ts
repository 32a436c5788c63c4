import { bundleErrors, type bundleRoutes, type ParsedOf } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { withFreeSlug } from '../../../db/free-slug.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { toStoredLimit } from '../../../lib/view-limits.ts'
import { type Actor, creatorOf } from '../../foundation/identity/actor.models.ts'
import { requireOpenShares, requireSealedShares } from '../../foundation/settings/settings.usecases.ts'
import { openingOf } from '../../foundation/share-opening/share-opening.models.ts'
import { openingColumns } from '../../foundation/share-opening/share-opening.usecases.ts'
import { expiryFromHours } from '../files/files.models.ts'
import { bundlePasswordContext, bundleSearchText } from './bundles.models.ts'
import { bundlesRepository } from './bundles.repository.ts'
import type { BundleRow } from './bundles.table.ts'
import { protect, requireBundles } from './own-bundles.usecases.ts'
import { sealColumnsOf } from './sealed/seal.models.ts'

type CreateInput = ParsedOf<typeof bundleRoutes.create, 'body'>
type CreateNeeds = Needs<'clock' | 'database' | 'db' | 'passwords' | 'secrets'>

/**
 * Returns how a new bundle opens. With a view limit it requires confirmation by default, because a link preview would
 * otherwise use a view.
 */
const openingOfNew = ({ opening, pin, max_views }: CreateInput) => ({
  opening: opening ?? (toStoredLimit(max_views) === null ? null : ('ask' as const)),
  pin,
})

/** Returns the columns that the settings in a creation request determine. */
async function settingsOf(ctx: Needs<'clock' | 'passwords' | 'secrets'>, id: string, input: CreateInput) {
  const nowMs = ctx.clock.nowMs()
  return {
    remark: input.remark,
    ...(await protect(ctx, id, input.password)),
    ...(await openingColumns(ctx, openingOfNew(input))),
    expires_at_ms: expiryFromHours(input.expires_in, nowMs),
    max_views: toStoredLimit(input.max_views),
    updated_at_ms: nowMs,
    search_text: bundleSearchText(input.remark, null),
  }
}

async function newRow(
  ctx: Needs<'clock' | 'passwords' | 'secrets'>,
  actor: Actor,
  input: CreateInput,
): Promise<Omit<BundleRow, 'slug'>> {
  const id = input.id ?? newId()
  const settings = await settingsOf(ctx, id, input)
  return {
    id,
    revision: 0,
    title: null,
    item_count: 0,
    size_bytes: 0,
    ...sealColumnsOf(input),
    ...settings,
    grace_until_ms: null,
    generation: 0,
    views: 0,
    last_view_at_ms: null,
    purged_at_ms: null,
    created_by: creatorOf(actor),
    created_at_ms: settings.updated_at_ms,
  }
}

async function hasPin(
  ctx: Needs<'passwords'>,
  { pin_hash }: BundleRow,
  pin: string | null,
): Promise<boolean> {
  if (pin === null || pin_hash === null) return pin === null && pin_hash === null
  return ctx.passwords.verify(pin_hash, { password: pin, network: '' })
}

function hasPassword(ctx: Needs<'secrets'>, row: BundleRow, password: string | null): boolean {
  const { id, password_hash, password_sealed: sealed } = row
  if (!password || password_hash === null) return !password && password_hash === null
  return sealed !== null && ctx.secrets.open(sealed, bundlePasswordContext(id)) === password
}

/**
 * Whether the bundle's expiry can come from a request with this number of hours, sent at any time since the bundle was
 * created.
 */
function hasExpiry({ expires_at_ms, created_at_ms }: BundleRow, hours: number | null, nowMs: number) {
  const earliestMs = expiryFromHours(hours, created_at_ms)
  const latestMs = expiryFromHours(hours, nowMs)
  if (expires_at_ms === null || earliestMs === null || latestMs === null) return expires_at_ms === earliestMs
  return earliestMs <= expires_at_ms && expires_at_ms <= latestMs
}

/** Whether a bundle has the seal of a request. The seal of a bundle never changes. */
const hasSeal = (row: BundleRow, input: CreateInput): boolean =>
  Object.entries(sealColumnsOf(input)).every(([column, value]) => row[column as keyof BundleRow] === value)

/**
 * Whether a bundle already has the settings of a creation request. If the request has no link suffix, every suffix
 * matches.
 */
async function hasSettings(
  ctx: Needs<'clock' | 'passwords' | 'secrets'>,
  row: BundleRow,
  input: CreateInput,
): Promise<boolean> {
  return (
    hasSeal(row, input) &&
    (input.slug === null || row.slug === input.slug) &&
    row.remark === input.remark &&
    row.max_views === toStoredLimit(input.max_views) &&
    row.opening === openingOf(openingOfNew(input)) &&
    hasExpiry(row, input.expires_in, ctx.clock.nowMs()) &&
    hasPassword(ctx, row, input.password) &&
    (await hasPin(ctx, row, input.pin))
  )
}

/**
 * Finds the bundle that an earlier request created with the id. @throws {AppError} `bundle.id_taken` if another creator
 * has used the id
 */
async function findMade(
  ctx: Needs<'db'>,
  actor: Actor,
  { id }: Pick<CreateInput, 'id'>,
): Promise<BundleRow | undefined> {
  const made = id === null ? undefined : await bundlesRepository(ctx.db).findById(id)
  if (made && made.created_by !== creatorOf(actor)) throw new AppError(bundleErrors.id_taken)
  return made
}

/**
 * Repeats the creation of a bundle. A draft gets the settings of the request, and keeps its link suffix if the request
 * has no suffix.
 * @throws {AppError} `bundle.slug_taken`, `share.pin_needs_ask`; `bundle.id_taken` if the bundle is no longer a draft
 *   and has other settings, or if it has another seal
 */
async function createAgain(
  ctx: CreateNeeds,
  actor: Actor,
  { made, input }: { made: BundleRow; input: CreateInput },
): Promise<BundleRow> {
  if (made.revision === 0 && made.purged_at_ms === null && hasSeal(made, input)) {
    const settings = await settingsOf(ctx, made.id, input)
    const changed = await withFreeSlug({
      wanted: input.slug ?? made.slug,
      taken: bundleErrors.slug_taken,
      save: (slug) =>
        ctx.database.transaction(async (trx) => {
          if (slug !== made.slug) await bundlesRepository(trx).deleteTombstoneBySlug(slug)
          const change = { ...settings, ...(slug === made.slug ? {} : { slug }) }
          return bundlesRepository(trx).updateDraft(made.id, change)
        }),
    })
    if (changed) return changed
  }
  const now = await findMade(ctx, actor, made)
  if (!now || !(await hasSettings(ctx, now, input))) throw new AppError(bundleErrors.id_taken)
  return now
}

/**
 * Creates the draft of a bundle. A repeated request with the same id creates nothing, see {@link createAgain}.
 * @throws {AppError} `auth.forbidden`, `bundle.seal_incomplete`, `share.must_be_sealed`, `share.sealing_off`,
 *   `bundle.slug_taken`, `share.pin_needs_ask`; `bundle.id_taken` if a bundle with this id belongs to another creator,
 *   is no longer a draft and has other settings, or has another seal
 */
export async function createBundle(ctx: CreateNeeds, actor: Actor, input: CreateInput): Promise<BundleRow> {
  requireBundles(actor)
  const { sealed } = sealColumnsOf(input)
  await (sealed === null ? requireOpenShares(ctx) : requireSealedShares(ctx))
  const made = await findMade(ctx, actor, input)
  if (made) return createAgain(ctx, actor, { made, input })
  const row = await newRow(ctx, actor, input)
  try {
    return await withFreeSlug({
      wanted: input.slug,
      taken: bundleErrors.slug_taken,
      save: (slug) =>
        ctx.database.transaction(async (trx) => {
          await bundlesRepository(trx).deleteTombstoneBySlug(slug)
          await bundlesRepository(trx).insert({ ...row, slug })
          return { ...row, slug }
        }),
    })
  } catch (error) {
    // Looks for the bundle again, because a concurrent request with the same id may have created it in the meantime.
    const madeMeanwhile = await findMade(ctx, actor, input)
    if (madeMeanwhile) return createAgain(ctx, actor, { made: madeMeanwhile, input })
    throw error
  }
}
