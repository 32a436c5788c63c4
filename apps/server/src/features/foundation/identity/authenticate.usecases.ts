import type { Needs } from '../../../context.ts'
import { unlessInTrouble } from '../../../db/database.ts'
import { findKeyActor, findKeyActorById } from './api-keys.usecases.ts'
import { type Actor, adminWithoutSession, keyIdOfCreator } from './actor.models.ts'
import { authRepository } from './auth.repository.ts'
import { checkAdminAgain, hashToken, isAdminName } from './auth.usecases.ts'
import type { Credential } from './credentials.models.ts'

const GUESS_WINDOW_SECONDS = 10 * 60
/** Maximum number of different unknown API keys per address and window. */
const WRONG_KEYS_PER_ADDRESS = 50

const addressRule = (network: string) => ({
  key: `key-guess:address:${network}`,
  limit: WRONG_KEYS_PER_ADDRESS,
  windowSeconds: GUESS_WINDOW_SECONDS,
})

type FoundKey = Awaited<ReturnType<typeof findKeyActor>>

/** API keys of at least this length cannot be guessed, so the limit does not apply to them. */
const UNGUESSABLE_KEY_LENGTH = 16

/**
 * Finds the actor of an API key. Each different unknown key counts once per address, so that a script with one outdated
 * key does not lock out its network. Beyond the limit, short keys from that address are refused even if they exist,
 * because they could have been guessed.
 * @throws {AppError} `request.rate_limited`
 */
async function authenticateKey(
  ctx: Needs<'clock' | 'db' | 'secrets' | 'throttles'>,
  key: string,
  { network, found }: { network: string; found?: FoundKey },
): Promise<Actor | null> {
  // Checked before the lookup, which records the use of an existing key.
  if (key.length < UNGUESSABLE_KEY_LENGTH) await ctx.throttles.check([addressRule(network)])
  const actor = found ?? (await findKeyActor(ctx, key))
  if (actor !== 'unknown') return actor
  await ctx.throttles.check([addressRule(network)])
  const once = {
    key: `key-guess:once:${network}:${ctx.secrets.fingerprint(key).slice(0, 32)}`,
    limit: 1,
    windowSeconds: GUESS_WINDOW_SECONDS,
  }
  const isNew = await ctx.throttles.count([once])
  if (isNew) await ctx.throttles.count([addressRule(network)])
  return null
}

/**
 * Authenticates a network drive by name and password. A valid pair is the name and password of an administrator, or an
 * API key as the password with any name. With an administrator's name, the API key must be long enough to be
 * unguessable, or equal the name. All other pairs are handled alike, so that neither timing nor limits reveal which
 * names exist. An invalid pair counts as a wrong login and as a wrong API key. This also limits guesses of one password
 * with many names.
 */
async function authenticateBasic(
  ctx: Needs<'clock' | 'db' | 'passwords' | 'secrets' | 'state' | 'throttles'>,
  credential: { username: string; password: string },
  network: string,
): Promise<Actor | null> {
  const { username, password } = credential
  const found = await findKeyActor(ctx, password)
  const isSurelyKey = username === password || password.length >= UNGUESSABLE_KEY_LENGTH
  // Only clients with a valid API key that is long or equals the name skip the lookup of the name. So the timing of the
  // lookup reveals nothing about names to attackers.
  const isKey = (found !== 'unknown' && isSurelyKey) || !(await isAdminName(ctx, username)) || isSurelyKey
  if (found !== 'unknown' && isKey) {
    const actor = await authenticateKey(ctx, password, { network, found })
    // An API key with Basic authentication is only for network drives, so the key needs the permission for mounts.
    return actor?.kind === 'key' && actor.canMount ? actor : null
  }
  const admin = await checkAdminAgain(ctx, { ...credential, network }, async () => {
    await ctx.throttles.count([addressRule(network)])
  })
  return admin ? adminWithoutSession(admin) : null
}

export interface Asker {
  /** The network to which rate limits apply. */
  readonly network: string
  /** A larger network, for display. */
  readonly area: string
}

/** Minimum interval between updates of a session's last-used time. */
const LAST_USED_EVERY_MS = 60_000

async function authenticateSession(
  ctx: Needs<'clock' | 'db'>,
  token: string,
  area: string,
): Promise<Actor | null> {
  const sessionHash = hashToken(token)
  const nowMs = ctx.clock.nowMs()
  const repository = authRepository(ctx.db)
  const admin = await repository.findSession(sessionHash, nowMs)
  if (!admin) return null
  if (admin.last_used_at_ms === null || nowMs - admin.last_used_at_ms >= LAST_USED_EVERY_MS)
    await unlessInTrouble(repository.noteSessionUse(sessionHash, { last_used_at_ms: nowMs, address: area }))
  return {
    kind: 'admin',
    id: admin.id,
    username: admin.username,
    via: 'bearer',
    sessionHash,
    sessionId: admin.session_id,
  }
}

/**
 * Returns the actor of a credential, or `null` if the credential is wrong or expired, or if an API key is sent with
 * Basic authentication and lacks the permission for mounts. @throws {AppError} `request.rate_limited`
 */
export async function authenticate(
  ctx: Needs<'clock' | 'db' | 'passwords' | 'secrets' | 'state' | 'throttles'>,
  credential: Credential,
  { network, area }: Asker,
): Promise<Actor | null> {
  if (credential.kind === 'key') return authenticateKey(ctx, credential.key, { network })
  if (credential.kind === 'basic') return authenticateBasic(ctx, credential, network)
  return authenticateSession(ctx, credential.token, area)
}

/** How long the result of an authorization check is reused. */
const BELIEVED_MS = 1000

/** Whether a check is recent enough to be reused. False also if the clock was set back by more than that time. */
export const isJustNow = (ctx: Needs<'clock'>, sinceMs: number): boolean =>
  Math.abs(ctx.clock.nowMs() - sinceMs) <= BELIEVED_MS

/**
 * Returns the actor with its current rights; `null` if its API key is deleted or expired, if its session has ended, or
 * if its administrator is deleted.
 */
export async function findStill(ctx: Needs<'clock' | 'db'>, actor: Actor): Promise<Actor | null> {
  if (actor.kind === 'key') return findKeyActorById(ctx, actor.id)
  if (actor.sessionId === null) return findCreator(ctx, actor.id)
  const isOpen = await authRepository(ctx.db).hasSession(actor.sessionId, ctx.clock.nowMs())
  return isOpen ? actor : null
}

/**
 * Returns a creator with its current rights, for work outside a request. Returns `null` if the API key is deleted or
 * expired, or if the administrator is deleted.
 */
export async function findCreator(ctx: Needs<'clock' | 'db'>, creator: string): Promise<Actor | null> {
  const keyId = keyIdOfCreator(creator)
  if (keyId !== null) return findKeyActorById(ctx, keyId)
  const admin = await authRepository(ctx.db).findAdminById(creator)
  return admin ? adminWithoutSession(admin) : null
}
