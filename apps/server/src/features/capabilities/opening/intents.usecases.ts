import { INTENT_FROM_MS, INTENT_SECONDS, requestErrors, shareErrors, TRAP_SECONDS } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { previewerOf } from '../../foundation/share-opening/previewers.models.ts'
import { notePreview } from '../../foundation/share-opening/share-opening.usecases.ts'
import type { Client } from '../files/files.usecases.ts'
import type { OpenableKind } from './openable-kinds.usecases.ts'
import { findIntentProblem, type Intent, type OpenableShare } from './opening.models.ts'

const INTENT_TICKET = 'opening'
const TRAP_GRANT = 'opening-trap'

/**
 * Limits the number of rows that anonymous clients can create. Even many people behind one address create far fewer
 * rows.
 */
const INTENTS_PER_NETWORK = 1000

const trapName = (ctx: Needs<'secrets'>, shareId: string, { network, userAgent }: Client): string =>
  `${shareId} ${ctx.secrets.fingerprint(`${network} ${userAgent}`)}`

/** Finds a share that can be opened. @throws {AppError} as the kind's `get`; if the share has expired or is used up */
export async function getAlive<Share extends OpenableShare, Contents>(
  ctx: Needs<'clock' | 'db'>,
  kind: OpenableKind<Share, Contents>,
  slug: string,
): Promise<Share> {
  const share = await kind.get(ctx, slug)
  const end = kind.findEnd(share, ctx.clock.nowMs())
  if (end) throw new AppError(end)
  return share
}

/** Refuses a client that recently activated the trap of the share. @throws {AppError} `share.automated` */
export async function requireUntrapped(
  ctx: Needs<'secrets' | 'tickets'>,
  shareId: string,
  client: Client,
): Promise<void> {
  const trapped = await ctx.tickets.findGrant(TRAP_GRANT, trapName(ctx, shareId, client))
  if (trapped !== undefined) throw new AppError(shareErrors.automated)
}

/**
 * Creates an intent to open a share. The intent becomes valid after a moment, works once, and expires after some
 * minutes.
 * @throws {AppError} as {@link getAlive}; `share.automated`, `request.rate_limited`
 */
export async function createIntent<Share extends OpenableShare, Contents>(
  ctx: Needs<'clock' | 'db' | 'secrets' | 'throttles' | 'tickets'>,
  kind: OpenableKind<Share, Contents>,
  { slug, client }: { slug: string; client: Client },
): Promise<{ token: string; fromMs: number }> {
  const share = await getAlive(ctx, kind, slug)
  await requireUntrapped(ctx, share.id, client)
  const key = `opening-intent:${share.id}:${client.network}`
  const rule = { key, limit: INTENTS_PER_NETWORK, windowSeconds: INTENT_SECONDS }
  if (!(await ctx.throttles.count([rule])))
    throw new AppError(requestErrors.rate_limited, { retryAfterSeconds: INTENT_SECONDS })
  const fromMs = ctx.clock.nowMs() + INTENT_FROM_MS
  const intent: Intent = { shareId: share.id, slug: share.slug, fromMs }
  const { token } = await ctx.tickets.issue(INTENT_TICKET, intent, { seconds: INTENT_SECONDS })
  return { token, fromMs }
}

const takeIntent = async (ctx: Needs<'tickets'>, token: string): Promise<Intent | undefined> =>
  (await ctx.tickets.take(INTENT_TICKET, token)) as Intent | undefined

/**
 * Checks an intent. A valid intent stays valid until `spendIntent` uses it or until it expires. Checking an intent too
 * early invalidates it.
 * @throws {AppError} `share.intent_invalid`, `share.too_early`
 */
export async function requireIntent(
  ctx: Needs<'clock' | 'tickets'>,
  share: OpenableShare,
  token: string | null | undefined,
): Promise<void> {
  const intent = token ? ((await ctx.tickets.find(INTENT_TICKET, token)) as Intent | undefined) : undefined
  const problem = findIntentProblem(intent, { share, nowMs: ctx.clock.nowMs() })
  if (!problem) return
  // Of several concurrent early uses, only the use that deletes the intent gets the error `too_early`.
  await spendIntent(ctx, share, token)
  throw new AppError(problem)
}

/**
 * Invalidates an intent, whether or not the share then opens. @throws {AppError} `share.intent_invalid`,
 * `share.too_early`
 */
export async function spendIntent(
  ctx: Needs<'clock' | 'tickets'>,
  share: OpenableShare,
  token: string | null | undefined,
): Promise<void> {
  const intent = token ? await takeIntent(ctx, token) : undefined
  const problem = findIntentProblem(intent, { share, nowMs: ctx.clock.nowMs() })
  if (problem) throw new AppError(problem)
}

/**
 * Records that a client has activated the trap. For some minutes, the share does not open for this client.
 * @throws {AppError} `share.intent_invalid` without an intent of this share; also throws as the `get` of `kind`
 */
export async function springTrap<Share extends OpenableShare, Contents>(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'secrets' | 'state' | 'tickets'>,
  kind: OpenableKind<Share, Contents>,
  { slug, token, client }: { slug: string; token: string; client: Client },
): Promise<void> {
  const share = await kind.get(ctx, slug)
  const intent = await takeIntent(ctx, token)
  if (intent?.shareId !== share.id) throw new AppError(shareErrors.intent_invalid)
  const name = trapName(ctx, share.id, client)
  await ctx.tickets.grant(TRAP_GRANT, name, { seconds: TRAP_SECONDS, payload: true })
  notePreview(ctx, share.id, previewerOf(client.userAgent))
}
