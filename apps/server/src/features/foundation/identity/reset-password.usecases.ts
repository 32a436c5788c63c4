import { randomText } from '../../../lib/ids.ts'
import type { AuditLog } from '../../../audit/audit-log.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { OpenDatabase } from '../../../db/database.ts'
import type { Passwords } from '../../../lib/passwords.ts'
import type { Schema } from '../../../schema.ts'
import { forget } from '../settings/stored-values.usecases.ts'
import { authRepository } from './auth.repository.ts'
import { FIRST_LOGIN_KEY, GENERATED_PASSWORD_LENGTH } from './auth.usecases.ts'

export interface PasswordReset {
  readonly username: string
  readonly password: string
  readonly endedSessions: number
}

interface Parts {
  readonly database: OpenDatabase<Schema>
  readonly passwords: Passwords
  readonly audit: AuditLog
  readonly clock: Clock
}

/**
 * Sets the administrator's password without the current password, ends all sessions, and resets the rate limits for
 * logins. The command line uses this function, which also works while a server is running.
 * @param wanted the new password; `null` for a random one.
 * @returns `null` if there is no administrator yet.
 */
export async function resetPassword(
  { database, passwords, audit, clock }: Parts,
  wanted: string | null,
): Promise<PasswordReset | null> {
  const password = wanted ?? randomText(GENERATED_PASSWORD_LENGTH)
  const password_hash = await passwords.hash(password)
  const reset = await database.transaction(async (trx) => {
    const repository = authRepository(trx)
    const admin = await repository.findAnyAdmin()
    if (!admin) return null
    // The time is always later than the creation. Otherwise, if the clock was set back, the account could look
    // unchanged since the first start.
    const updated_at_ms = Math.max(clock.nowMs(), admin.created_at_ms + 1)
    await repository.updateAdmin(admin.id, { password_hash, updated_at_ms })
    const endedSessions = await repository.deleteOtherSessions(admin.id, null)
    await repository.forgetGuesses()
    // The generated password is no longer valid, so the console must not show the stored login.
    await forget(trx, FIRST_LOGIN_KEY)
    return { username: admin.username, password, endedSessions }
  })
  if (!reset) return null
  const nobody = { actor_kind: 'visitor', actor_id: null, actor_name: null } as const
  audit.note({
    ...nobody,
    action: 'account.reset_password',
    target: reset.username,
    address: '',
    status: 200,
    code: null,
  })
  await audit.flush()
  return reset
}
