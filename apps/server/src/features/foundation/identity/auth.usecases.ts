import { createHash } from 'node:crypto'
import { ADMIN_SESSION_SECONDS, authErrors } from '@dropleaf/contract'
import * as z from 'zod/mini'
import type { AppContext } from '../../../context.ts'
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
/** Higher than the limit per address, so that strangers cannot lock the administrator out with a few guesses. */
const TRIES_PER_USERNAME = 100
/** How long an address that used the right password is not locked out by guesses from elsewhere. */
const PROVED_SECONDS = 30 * 24 * 3600

const USER_AGENT_MAX_LENGTH = 300

/** A session is looked up by this hash; a random token of 256 bits needs no slow hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

export const hasAdmin = async (ctx: AppContext): Promise<boolean> =>
  (await authRepository(ctx.db).findAnyAdmin()) !== undefined

/** Whether an administrator's name or password has changed since the first start. */
export async function isAccountChanged(ctx: AppContext, { id }: AdminActor): Promise<boolean> {
  const admin = await authRepository(ctx.db).findAdminById(id)
  return admin !== undefined && admin.updated_at_ms !== admin.created_at_ms
}

/** The generated login that the console shows. */
export interface FirstLogin {
  readonly username: string
  readonly password: string
}

/** Settings key of the first login until it has been shown, with a sealed password. */
export const FIRST_LOGIN_KEY = 'first_login'
export const FIRST_PASSWORD_CONTEXT = 'first-password'

const firstLogin = z.object({ username: z.string(), sealed: z.string() })

/** Creates the administrator at the first start. A generated password is stored until {@link forgetFirstLogin}. */
export async function ensureAdmin(ctx: AppContext): Promise<void> {
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
      // If the start fails or is killed, the next one shows it.
      const value = { username, sealed: ctx.secrets.seal(password, FIRST_PASSWORD_CONTEXT) }
      await storeValue(trx, FIRST_LOGIN_KEY, { value, nowMs })
    })
  } catch (error) {
    // Another process was first.
    if (!isUniqueViolation(error)) throw error
  }
}

/** The generated password that no console has shown yet; `null` if there is none. */
export async function findFirstLogin(ctx: AppContext): Promise<FirstLogin | null> {
  const kept = firstLogin.safeParse(await readStoredValue(ctx, FIRST_LOGIN_KEY))
  if (!kept.success) return null
  const { username, sealed } = kept.data
  return { username, password: ctx.secrets.open(sealed, FIRST_PASSWORD_CONTEXT) }
}

/** Call once it has been shown. */
export const forgetFirstLogin = (ctx: AppContext): Promise<void> => forget(ctx.db, FIRST_LOGIN_KEY)

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

/** Marks an address that has sent the right password. A changed password needs a new proof. */
const proofRule = (ctx: AppContext, { password_hash }: { password_hash: string }, network: string) => ({
  key: `login:proved:${network}:${ctx.secrets.fingerprint(password_hash).slice(0, 32)}`,
  limit: 1,
  windowSeconds: PROVED_SECONDS,
})

/**
 * Checks an administrator's name and password. Wrong ones count against the address and the name; an address that has sent the
 * right one before has only its own limit, so that strangers elsewhere cannot lock its users out.
 * @param network of the caller, for counting guesses.
 * @returns the id and name, or `null` if they are wrong.
 * @throws {AppError} `request.rate_limited`
 */
async function checkAdminPassword(
  ctx: AppContext,
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
 * Like {@link checkAdminPassword}, for credentials that a network drive sends with every request. Recently verified ones are
 * not hashed again, and stay valid beyond the limit of their address until so many different wrong ones came from there that
 * they may be guesses. Otherwise existing and unknown names are treated alike.
 * @param onNewGuess called before the check of a password that this address has not tried before.
 * @throws {AppError} `request.rate_limited`
 */
export async function checkAdminAgain(
  ctx: AppContext,
  input: { username: string; password: string; network: string },
  onNewGuess: () => Promise<void>,
): Promise<{ id: string; username: string } | null> {
  const admin = await authRepository(ctx.db).findAdminByUsername(input.username)
  const nowMs = ctx.clock.nowMs()
  const guess: Guess = { ...input, stored: admin?.password_hash ?? '' }
  const { passwordMemory: memory } = ctx.state
  if (admin && !memory.isGuessing(input.network, nowMs) && memory.isRight(guess, nowMs)) {
    // A drive in use stays connected, however many strangers guess meanwhile.
    memory.addRight(guess, nowMs)
    return { id: admin.id, username: admin.username }
  }
  // Probably a deleted API key, as drives send it: a program that repeats it must not lock out its network.
  if (input.username === input.password && memory.isWrong(guess, nowMs)) return null
  const noting = { nowMs, windowMs: WINDOW_SECONDS * 1000 }
  if (memory.addTried(guess, { ...noting, isWrong: false })) await onNewGuess()
  const found = await checkAdminPassword(ctx, input)
  if (found) memory.addRight(guess, nowMs)
  else memory.addTried(guess, { ...noting, isWrong: true })
  return found
}

/** @throws {AppError} `auth.invalid_credentials`, both for an unknown name and a wrong password; `request.rate_limited` */
export async function login(
  ctx: AppContext,
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

export async function logout(ctx: AppContext, actor: AdminActor): Promise<void> {
  if (actor.sessionHash !== null) await authRepository(ctx.db).deleteSession(actor.sessionHash)
}

/**
 * Changes name, password or both, and ends every session of the administrator.
 * @throws {AppError} `auth.wrong_current_password`, `auth.password_unchanged`, `auth.nothing_to_change`, `auth.username_taken`,
 *   `request.rate_limited`; checked in this order.
 */
export async function changeAdmin(
  ctx: AppContext,
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

/** Whether an administrator has this name. */
export const isAdminName = async (ctx: AppContext, name: string): Promise<boolean> =>
  (await authRepository(ctx.db).findAdminByUsername(name)) !== undefined

/** Id of the administrator. @throws {Error} before {@link ensureAdmin} ran */
export async function findAdminId(ctx: AppContext): Promise<string> {
  const admin = await authRepository(ctx.db).findAnyAdmin()
  if (!admin) throw new Error('There is no administrator.')
  return admin.id
}
