import { authErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import type { RunningTask } from '../../../jobs/running-task.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type Actor, opens } from './actor.models.ts'
import { findCreator } from './authenticate.usecases.ts'

/**
 * Returns the actor of a task with its current rights, and keeps checking them while the task runs. The task of an API
 * key stops if the key is deleted, expires or loses the right. An administrator's task continues when the session
 * ends.
 * @param requireMore an additional check, repeated while the task runs.
 * @throws {AppError} `auth.unauthorized`, `auth.forbidden`
 */
export async function requireTaskRight(
  ctx: Needs<'clock' | 'db'>,
  task: RunningTask,
  right: 'text' | 'file' | 'mount',
  requireMore: (now: Actor, before: Actor) => void = () => undefined,
): Promise<Actor> {
  async function find(): Promise<Actor> {
    const actor = await findCreator(ctx, task.owner)
    if (!actor) throw new AppError(authErrors.unauthorized)
    if (!opens(actor, right)) throw new AppError(authErrors.forbidden)
    return actor
  }
  const actor = await find()
  task.onlyWhile(async () => requireMore(await find(), actor))
  return actor
}
