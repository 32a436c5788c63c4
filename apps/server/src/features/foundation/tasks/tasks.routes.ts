import { taskRoutes } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { languageOf } from '../../../messages/index.ts'
import { fromContract } from '../../../http/core/route-adapter.ts'
import type { TaskRow } from '../../../jobs/tasks.table.ts'
import { actorOf } from '../identity/request-actor.http.ts'
import { presentTask } from './tasks.presenters.ts'
import { cancelTask, clearTasks, forgetTask, getTask, listTasks, retryTask } from './tasks.usecases.ts'

export async function tasksPlugin(app: FastifyInstance, { ctx }: { ctx: AppContext }): Promise<void> {
  const present = (row: TaskRow, request: FastifyRequest) => ({
    data: presentTask(row, languageOf(request.headers['accept-language'])),
  })
  app.route(
    fromContract(taskRoutes.list, async ({ query, request }) => {
      const rows = await listTasks(ctx, actorOf(request), { states: query.state, limit: query.limit })
      return { data: { tasks: rows.map((row) => present(row, request).data) } }
    }),
  )
  app.route(
    fromContract(taskRoutes.read, async ({ params, request }) =>
      present(await getTask(ctx, actorOf(request), params.id), request),
    ),
  )
  app.route(
    fromContract(taskRoutes.cancel, async ({ params, request }) =>
      present(await cancelTask(ctx, actorOf(request), params.id), request),
    ),
  )
  app.route(
    fromContract(taskRoutes.retry, async ({ params, request }) =>
      present(await retryTask(ctx, actorOf(request), params.id), request),
    ),
  )
  app.route(
    fromContract(taskRoutes.remove, async ({ params, request }) => {
      await forgetTask(ctx, actorOf(request), params.id)
      return {}
    }),
  )
  app.route(
    fromContract(taskRoutes.clear, async ({ request }) => ({
      data: { cleared: await clearTasks(ctx, actorOf(request)) },
    })),
  )
}
