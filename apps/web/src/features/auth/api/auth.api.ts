import { authRoutes } from '@dropleaf/contract'
import { ApiError } from '../../../lib/api-error.ts'
import { api } from '../../../domains/api/api-client.ts'
import { mayLogOut } from '../../../domains/session/before-logout.ts'
import { CREDENTIAL_KEYS } from '../../../domains/session/credentials.ts'
import {
  endSession,
  getSession,
  isSessionStale,
  markSessionChecked,
  renewSession,
  startSession,
} from '../../../domains/session/session.ts'
import { readStored } from '../../../lib/browser/storage.ts'
import { settleBeforeWrites } from '../../../domains/transfers/tasks/before-writes.ts'

const CHECK_TIMEOUT_MS = 8000

/**
 * @returns whether the login is the first login on a new server.
 * @throws {ApiError} `auth.invalid_credentials`, `request.rate_limited`, `client.token_missing` and transport errors.
 */
export async function loginAdmin(body: { username: string; password: string }): Promise<boolean> {
  const reply = await api(authRoutes.login, { body })
  const token: unknown = reply.data?.token
  if (typeof token !== 'string' || token === '') {
    throw new ApiError({ kind: 'http', code: 'client.token_missing', status: 200, message: 'No token.' })
  }
  startSession({ kind: 'admin', token })
  return reply.data.isFirstStart
}

async function checkKey(key: string) {
  const { data } = await api(authRoutes.testApiKey, {
    timeoutMs: CHECK_TIMEOUT_MS,
    authorization: `ApiKey ${key}`,
  })
  return { kind: 'apikey', key, permissions: data.permissions, info: data.key_info } as const
}

/** @throws {ApiError} `client.key_invalid` if the server rejects the key, and transport errors. */
export async function loginKey(key: string): Promise<void> {
  startSession(await checkKey(key))
}

/**
 * Ends the session in this browser. First asks for confirmation if data would be lost, then sends pending removals. If
 * the server is unreachable, the token stays valid for up to a day.
 */
export async function logout(): Promise<void> {
  if (!(await mayLogOut())) return
  await Promise.race([
    settleBeforeWrites(),
    new Promise((resolve) => {
      setTimeout(resolve, CHECK_TIMEOUT_MS)
    }),
  ])
  const session = getSession()
  if (session.kind === 'admin') {
    const request = api(authRoutes.logout, {
      timeoutMs: CHECK_TIMEOUT_MS,
      authorization: `Bearer ${session.token}`,
    })
    endSession('logout')
    await request.catch(() => undefined)
    return
  }
  endSession('logout')
}

/**
 * Validates the session if the last check is over five minutes old, or always with `isNow`. Only a rejection by the
 * server ends the session, not a connection error.
 */
export async function revalidateSession({ isNow = false } = {}): Promise<void> {
  if (!isNow && !isSessionStale()) return
  const session = getSession()
  try {
    if (session.kind === 'admin') await api(authRoutes.testAdminToken, { timeoutMs: CHECK_TIMEOUT_MS })
    if (session.kind === 'apikey') await refreshKey(session.key)
    markSessionChecked()
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) {
      endSession(session.kind === 'admin' ? 'admin-expired' : 'key-invalid')
    }
  }
}

/**
 * Checks the key again, because its permissions might have changed. Ignores the result if another tab has changed the
 * login meanwhile.
 */
async function refreshKey(key: string) {
  const checked = await checkKey(key)
  const isStillCurrent = readStored(CREDENTIAL_KEYS.apiKey) === key
  if (isStillCurrent) renewSession(checked)
}

/**
 * Changes the password, which ends all sessions of the administrator, and logs in again in this browser.
 * @throws {ApiError}
 */
export async function changeOwnPassword(o: {
  username: string
  currentPassword: string
  newPassword: string
}): Promise<void> {
  const { username, currentPassword, newPassword } = o
  await changeAccount({ currentPassword, newUsername: '', newPassword })
  await loginAdmin({ username, password: newPassword })
}

export const changeAccount = (body: { currentPassword: string; newUsername: string; newPassword: string }) =>
  api(authRoutes.changePassword, { body })
