import type { Db } from '../../schema.ts'

export const authRepository = (db: Db) => ({
  findAnyAdmin: () => db.selectFrom('admins').selectAll().orderBy('created_at_ms').executeTakeFirst(),
  findAdminByUsername: (username: string) =>
    db.selectFrom('admins').selectAll().where('username', '=', username).executeTakeFirst(),
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
  insertSession: (row: {
    token_hash: string
    admin_id: string
    created_at_ms: number
    expires_at_ms: number
  }) => db.insertInto('admin_sessions').values(row).execute(),
  findSession: (tokenHash: string, nowMs: number) =>
    db
      .selectFrom('admin_sessions')
      .innerJoin('admins', 'admins.id', 'admin_sessions.admin_id')
      .select(['admins.id', 'admins.username'])
      .where('token_hash', '=', tokenHash)
      .where('expires_at_ms', '>', nowMs)
      .executeTakeFirst(),
  deleteSession: (tokenHash: string) =>
    db.deleteFrom('admin_sessions').where('token_hash', '=', tokenHash).execute(),
  deleteSessionsOf: (adminId: string) =>
    db.deleteFrom('admin_sessions').where('admin_id', '=', adminId).execute(),
  deleteExpiredSessions: (nowMs: number) =>
    db.deleteFrom('admin_sessions').where('expires_at_ms', '<=', nowMs).execute(),
})
