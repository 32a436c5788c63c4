import { authErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { AdminActor } from './actor.models.ts'
import { authRepository } from './auth.repository.ts'
import type { AdminSessionsTable } from './auth.table.ts'

export interface ListedSession {
  readonly row: AdminSessionsTable
  /** Whether the session is the caller's session. */
  readonly isCurrent: boolean
}

/** Returns the administrator's open sessions: the caller's first, then the others, newest first. */
export async function listSessions(ctx: Needs<'clock' | 'db'>, actor: AdminActor): Promise<ListedSession[]> {
  const rows = await authRepository(ctx.db).listSessions(actor.id, ctx.clock.nowMs())
  return rows
    .map((row) => ({ row, isCurrent: row.token_hash === actor.sessionHash }))
    .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}

export const isSessionOpen = (ctx: Needs<'clock' | 'db'>, id: string): Promise<boolean> =>
  authRepository(ctx.db).hasSession(id, ctx.clock.nowMs())

/** Ends a session; requests with its token are refused from then on. @throws {AppError} `auth.session_not_found` */
export async function endSession(ctx: Needs<'clock' | 'db'>, actor: AdminActor, id: string): Promise<void> {
  const isEnded = await authRepository(ctx.db).deleteSessionById(actor.id, id, ctx.clock.nowMs())
  if (!isEnded) throw new AppError(authErrors.session_not_found)
}

/** Ends all sessions except the caller's. @returns the number of ended sessions */
export const endOtherSessions = (ctx: Needs<'db'>, actor: AdminActor): Promise<number> =>
  authRepository(ctx.db).deleteOtherSessions(actor.id, actor.sessionHash)
