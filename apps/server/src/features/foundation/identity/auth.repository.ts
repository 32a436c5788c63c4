import { ADMIN_USERNAME_MAX_LENGTH } from '@dropleaf/contract'
import { type Blank, cached } from '../../../db/prepared.ts'
import type { Db } from '../../../schema.ts'
import type { AdminSessionsTable } from './auth.table.ts'

const findSession = cached((db, { arg }: Blank<string>) =>
  db
    .selectFrom('admin_sessions')
    .innerJoin('admins', 'admins.id', 'admin_sessions.admin_id')
    .select([
      'admins.id',
      'admins.username',
      'admin_sessions.id as session_id',
      'admin_sessions.last_used_at_ms',
      'admin_sessions.expires_at_ms',
    ])
    .where(
      'token_hash',
      '=',
      arg((tokenHash) => tokenHash),
    )
    .compile(),
)

/** The result is cached, because network drives send the username with every request. */
const findByUsername = cached((db, { arg }: Blank<string>) =>
  db
    .selectFrom('admins')
    .selectAll()
    .where(
      'username',
      '=',
      arg((username) => username),
    )
    .compile(),
)

export const authRepository = (db: Db) => ({
  findAnyAdmin: () => db.selectFrom('admins').selectAll().orderBy('created_at_ms').executeTakeFirst(),
  async findAdminByUsername(username: string) {
    // Skips longer names, because they cannot exist, and their lookup would waste memory in the cache.
    if (username.length > ADMIN_USERNAME_MAX_LENGTH) return undefined
    const [row] = await findByUsername(db, username)
    return row
  },
  findAdminById: (id: string) => db.selectFrom('admins').selectAll().where('id', '=', id).executeTakeFirst(),
  insertAdmin: (row: {
    id: string
    username: string
    password_hash: string
    created_at_ms: number
    updated_at_ms: number
  }) => db.insertInto('admins').values(row).execute(),
  updateAdmin: (id: string, change: { username?: string; password_hash?: string; updated_at_ms: number }) =>
    db.updateTable('admins').set(change).where('id', '=', id).execute(),
  insertSession: (row: AdminSessionsTable) => db.insertInto('admin_sessions').values(row).execute(),
  async findSession(tokenHash: string, nowMs: number) {
    const [session] = await findSession(db, tokenHash)
    return session && session.expires_at_ms > nowMs ? session : undefined
  },
  /** Whether the session exists and has not expired. */
  hasSession: async (id: string, nowMs: number): Promise<boolean> =>
    (await db
      .selectFrom('admin_sessions')
      .select('id')
      .where('id', '=', id)
      .where('expires_at_ms', '>', nowMs)
      .executeTakeFirst()) !== undefined,
  listSessions: (adminId: string, nowMs: number) =>
    db
      .selectFrom('admin_sessions')
      .selectAll()
      .where('admin_id', '=', adminId)
      .where('expires_at_ms', '>', nowMs)
      .orderBy('created_at_ms', 'desc')
      .orderBy('id')
      .execute(),
  noteSessionUse: (tokenHash: string, use: { last_used_at_ms: number; address: string }) =>
    db.updateTable('admin_sessions').set(use).where('token_hash', '=', tokenHash).execute(),
  /** @returns whether an unexpired session was deleted. */
  async deleteSessionById(adminId: string, id: string, nowMs: number): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('admin_sessions')
      .where('admin_id', '=', adminId)
      .where('id', '=', id)
      .where('expires_at_ms', '>', nowMs)
      .executeTakeFirst()
    return numDeletedRows > 0n
  },
  /**
   * Deletes all sessions of an administrator except the session with `keptHash`. @returns the number of deleted
   * sessions
   */
  async deleteOtherSessions(adminId: string, keptHash: string | null): Promise<number> {
    const doomed = db.deleteFrom('admin_sessions').where('admin_id', '=', adminId)
    const { numDeletedRows } = await (
      keptHash === null ? doomed : doomed.where('token_hash', '!=', keptHash)
    ).executeTakeFirst()
    return Number(numDeletedRows)
  },
  deleteSession: (tokenHash: string) =>
    db.deleteFrom('admin_sessions').where('token_hash', '=', tokenHash).execute(),
  deleteSessionsOf: (adminId: string) =>
    db.deleteFrom('admin_sessions').where('admin_id', '=', adminId).execute(),
  /** Resets the rate limits for logins. */
  forgetGuesses: () =>
    db
      .deleteFrom('throttles')
      .where((e) => e.or([e('key', 'like', 'login:name:%'), e('key', 'like', 'login:address:%')]))
      .execute(),
  deleteExpiredSessions: (nowMs: number) =>
    db.deleteFrom('admin_sessions').where('expires_at_ms', '<=', nowMs).execute(),
})
