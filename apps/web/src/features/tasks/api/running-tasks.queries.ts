import { type Task, taskRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'

const BUSY_MS = 2000
const QUIET_MS = 15_000
/** Maximum number of tasks that the server returns. */
const LIMIT = 200

export const runningTaskQueries = {
  /** Pending and running tasks of the user; for an administrator, of all users. */
  all: () =>
    queryOptions({
      queryKey: ['running-tasks'],
      meta: { isPrivate: true },
      queryFn: async ({ signal }): Promise<Task[]> =>
        (await api(taskRoutes.list, { query: { state: 'pending,running', limit: LIMIT }, signal })).data
          .tasks,
      refetchInterval: ({ state }) => (state.data?.length ? BUSY_MS : QUIET_MS),
      refetchOnWindowFocus: true,
    }),
}
