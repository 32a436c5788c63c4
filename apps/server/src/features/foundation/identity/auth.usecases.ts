import { createHash } from 'node:crypto'
import { ADMIN_SESSION_SECONDS, authErrors } from '@dropleaf/contract'
import * as z from 'zod/mini'
import type { Needs } from '../../../context.ts'
import { isUniqueViolation } from '../../../db/database.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId, randomText } from '../../../lib/ids.ts'
import type { Guess } from '../../../lib/password-memory.ts'
import { forget, storeValue, readStoredValue } from '../settings/stored-values.usecases.ts'
import type { AdminActor } from './actor.models.ts'
import { authRepository } from './auth.repository.ts'

const TOKEN_LENGTH = 43
export const GENERATED_PASSWORD_LENGTH = 20
const WINDOW_SECONDS = 15 * 60
const TRIES_PER_ADDRESS = 10
/**
 * This limit is higher than the limit per address, so that a few guesses from other addresses cannot lock the
 * administrator out.
 */
const TRIES_PER_USERNAME = 100
/** How long a successful login protects an address from being locked out by guesses from other addresses. */
const PROVED_SECONDS = 30 * 24 * 3600

const USER_AGENT_MAX_LENGTH = 300

/** Hashes a session token for lookups. A random 256-bit token needs no slow hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

export const hasAdmin = async (ctx: Needs<'db'>): Promise<boolean> =>
  (await authRepository(ctx.db).findAnyAdmin()) !== undefined

/** Whether the administrator's name or password has changed since the first start. */
export async function isAccountChanged(ctx: Needs<'db'>, { id }: AdminActor): Promise<boolean> {
  const admin = await authRepository(ctx.db).findAdminById(id)
  return admin !== undefined && admin.updated_at_ms !== admin.created_at_ms
}

/** The administrator's name and generated password, which the console shows at the first start. */
export interface FirstLogin {
  readonly username: string
  readonly password: string
}

/**
 * Settings key of the first login, with an encrypted password. The setting is deleted when the console has shown the
 * login, or when the password is reset.
 */
export const FIRST_LOGIN_KEY = 'first_login'
export const FIRST_PASSWORD_CONTEXT = 'first-password'

const firstLogin = z.object({ username: z.string(), sealed: z.string() })

/**
 * Creates the administrator at the first start. A generated password is stored until {@link forgetFirstLogin} is
 * called.
 */
export async function ensureAdmin(
  ctx: Needs<'clock' | 'config' | 'database' | 'db' | 'passwords' | 'secrets'>,
): Promise<void> {
  if (await authRepository(ctx.db).findAnyAdmin()) return
  const password = ctx.config.adminPassword ?? randomText(GENERATED_PASSWORD_LENGTH)
  const username = ctx.config.adminUsername
  const nowMs = ctx.clock.nowMs()
  const row = {
    id: newId(),
    username,
    password_hash: await ctx.passwords.hash(password),
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
  }
  try {
    await ctx.database.transaction(async (trx) => {
      await authRepository(trx).insertAdmin(row)
      if (ctx.config.adminPassword !== null) return
      // The login is stored, so that the next start can show it if this start fails.
      const value = { username, sealed: ctx.secrets.seal(password, FIRST_PASSWORD_CONTEXT) }
      await storeValue(trx, FIRST_LOGIN_KEY, { value, nowMs })
    })
  } catch (error) {
    // A unique violation means that another process has created the administrator first.
    if (!isUniqueViolation(error)) throw error
  }
}

/** Returns the generated login if no console has shown it yet, otherwise `null`. */
export async function findFirstLogin(ctx: Needs<'db' | 'secrets'>): Promise<FirstLogin | null> {
  const kept = firstLogin.safeParse(await readStoredValue(ctx, FIRST_LOGIN_KEY))
  if (!kept.success) return null
  const { username, sealed } = kept.data
  return { username, password: ctx.secrets.open(sealed, FIRST_PASSWORD_CONTEXT) }
}

/** Deletes the stored first login. Call after the console has shown the login. */
export const forgetFirstLogin = (ctx: Needs<'db'>): Promise<void> => forget(ctx.db, FIRST_LOGIN_KEY)

const addressRule = (network: string) => ({
  key: `login:address:${network}`,
  limit: TRIES_PER_ADDRESS,
  windowSeconds: WINDOW_SECONDS,
})

const nameRule = (username: string) => ({
  key: `login:name:${username}`,
  limit: TRIES_PER_USERNAME,
  windowSeconds: WINDOW_SECONDS,
})

/**
 * Returns the rate-limit rule that records an address with a successful login. Changing the password invalidates the
 * record.
 */
const proofRule = (ctx: Needs<'secrets'>, { password_hash }: { password_hash: string }, network: string) => ({
  key: `login:proved:${network}:${ctx.secrets.fingerprint(password_hash).slice(0, 32)}`,
  limit: 1,
  windowSeconds: PROVED_SECONDS,
})

/**
 * Checks an administrator's name and password. Failures count against the address and the name. If the address has an
 * earlier successful login, they count only against the address, and the limit of the name does not apply. So attackers
 * at other addresses cannot lock out the users of such an address.
 * @param network the caller's network, for counting failures.
 * @returns the administrator's id and name, or `null` if the credentials are wrong.
 * @throws {AppError} `request.rate_limited`
 */
async function checkAdminPassword(
  ctx: Needs<'db' | 'passwords' | 'secrets' | 'throttles'>,
  { username, password, network }: { username: string; password: string; network: string },
): Promise<{ id: string; username: string } | null> {
  const admin = await authRepository(ctx.db).findAdminByUsername(username)
  const proof = admin && proofRule(ctx, admin, network)
  const isProved = proof !== undefined && (await ctx.throttles.has(proof))
  const rules = isProved ? [addressRule(network)] : [addressRule(network), nameRule(username)]
  const isRight = await ctx.throttles.guess(rules, async () => {
    if (admin) return ctx.passwords.verify(admin.password_hash, { password, network })
    await ctx.passwords.pretendToVerify({ password, network })
    return false
  })
  if (!admin || !isRight) return null
  if (proof && !isProved) await ctx.throttles.count([proof])
  return { id: admin.id, username: admin.username }
}

/**
 * Like {@link checkAdminPassword}, for credentials that a network drive sends with every request. Recently verified
 * credentials are not hashed again. Verified credentials stay valid when their address exceeds its limit. This
 * protection ends when the address has sent so many different wrong passwords that it is probably guessing. Existing
 * and unknown names are otherwise handled alike.
 * @param onNewGuess called before checking a password that this address has not tried before.
 * @throws {AppError} `request.rate_limited`
 */
export async function checkAdminAgain(
  ctx: Needs<'clock' | 'db' | 'passwords' | 'secrets' | 'state' | 'throttles'>,
  input: { username: string; password: string; network: string },
  onNewGuess: () => Promise<void>,
): Promise<{ id: string; username: string } | null> {
  const admin = await authRepository(ctx.db).findAdminByUsername(input.username)
  const nowMs = ctx.clock.nowMs()
  const guess: Guess = { ...input, stored: admin?.password_hash ?? '' }
  const { passwordMemory: memory } = ctx.state
  if (admin && !memory.isGuessing(input.network, nowMs) && memory.isRight(guess, nowMs)) {
    // Renews the entry of the right password, so that this drive does not depend on the limit of the name. Guesses from
    // other addresses can exhaust that limit.
    memory.addRight(guess, nowMs)
    return { id: admin.id, username: admin.username }
  }
  // Network drives send an API key as both name and password. If such a key is wrong, it has probably been deleted.
  // The client repeats the key, and must not lock out the whole network.
  if (input.username === input.password && memory.isWrong(guess, nowMs)) return null
  const noting = { nowMs, windowMs: WINDOW_SECONDS * 1000 }
  if (memory.addTried(guess, { ...noting, isWrong: false })) await onNewGuess()
  const found = await checkAdminPassword(ctx, input)
  if (found) memory.addRight(guess, nowMs)
  else memory.addTried(guess, { ...noting, isWrong: true })
  return found
}

/** @throws {AppError} `auth.invalid_credentials` for an unknown name or a wrong password, `request.rate_limited` */
export async function login(
  ctx: Needs<'clock' | 'db' | 'passwords' | 'secrets' | 'throttles'>,
  input: { username: string; password: string; network: string; area: string; userAgent: string },
): Promise<{ username: string; token: string; expiresAtMs: number }> {
  const admin = await checkAdminPassword(ctx, input)
  if (!admin) throw new AppError(authErrors.invalid_credentials)
  const token = randomText(TOKEN_LENGTH)
  const nowMs = ctx.clock.nowMs()
  const expiresAtMs = nowMs + ADMIN_SESSION_SECONDS * 1000
  await authRepository(ctx.db).insertSession({
    id: newId(),
    token_hash: hashToken(token),
    admin_id: admin.id,
    created_at_ms: nowMs,
    expires_at_ms: expiresAtMs,
    last_used_at_ms: nowMs,
    address: input.area,
    user_agent: input.userAgent.slice(0, USER_AGENT_MAX_LENGTH),
  })
  return { username: admin.username, token, expiresAtMs }
}

export async function logout(ctx: Needs<'db'>, actor: AdminActor): Promise<void> {
  if (actor.sessionHash !== null) await authRepository(ctx.db).deleteSession(actor.sessionHash)
}

/**
 * Changes the administrator's name, password or both, and ends all sessions of that administrator. Errors are checked
 * in the order below.
 * @throws {AppError} `request.rate_limited`, `auth.wrong_current_password`, `auth.password_unchanged`,
 * `auth.nothing_to_change`, `auth.username_taken`
 */
export async function changeAdmin(
  ctx: Needs<'clock' | 'database' | 'db' | 'passwords' | 'secrets' | 'throttles'>,
  actor: AdminActor,
  input: { currentPassword: string; newPassword: string | null; newUsername: string | null; network: string },
): Promise<void> {
  const admin = await checkAdminPassword(ctx, {
    username: actor.username,
    password: input.currentPassword,
    network: input.network,
  })
  if (!admin) throw new AppError(authErrors.wrong_current_password)
  if (input.newPassword !== null && input.newPassword === input.currentPassword)
    throw new AppError(authErrors.password_unchanged)
  const newUsername = input.newUsername === actor.username ? null : input.newUsername
  if (input.newPassword === null && newUsername === null) throw new AppError(authErrors.nothing_to_change)
  const change = {
    ...(newUsername === null ? {} : { username: newUsername }),
    ...(input.newPassword === null ? {} : { password_hash: await ctx.passwords.hash(input.newPassword) }),
    updated_at_ms: ctx.clock.nowMs(),
  }
  try {
    await ctx.database.transaction(async (trx) => {
      await authRepository(trx).updateAdmin(actor.id, change)
      await authRepository(trx).deleteSessionsOf(actor.id)
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError(authErrors.username_taken, { cause: error })
    throw error
  }
}

export const isAdminName = async (ctx: Needs<'db'>, name: string): Promise<boolean> =>
  (await authRepository(ctx.db).findAdminByUsername(name)) !== undefined

/** Returns the administrator's id. @throws {Error} if {@link ensureAdmin} has not run */
export async function findAdminId(ctx: Needs<'db'>): Promise<string> {
  const admin = await authRepository(ctx.db).findAnyAdmin()
  if (!admin) throw new Error('There is no administrator.')
  return admin.id
}
