import { type ReconciliationKind, reconciliationRoutes, type ReplyOf } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'
import { hasEnded } from '../../../domains/transfers/tasks/server-tasks.ts'

export type LastCheck = ReplyOf<typeof reconciliationRoutes.read>['data']

const BUSY_MS = 1500
const QUIET_MS = 60_000

export const isUnderWay = ({ task }: LastCheck): boolean => task !== null && !hasEnded(task)

export const reconciliationQueries = {
  /** The last check of the storages; polled more often while a check runs. */
  last: () =>
    queryOptions({
      queryKey: ['reconciliation'],
      meta: { isPrivate: true },
      queryFn: async ({ signal }): Promise<LastCheck> =>
        (await api(reconciliationRoutes.read, { signal })).data,
      refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? BUSY_MS : QUIET_MS),
    }),
}

/** Starts a check that also repairs the given kinds of findings. */
export const beginCheck = async (repair: readonly ReconciliationKind[]): Promise<void> => {
  await api(reconciliationRoutes.begin, { body: { repair: [...repair] } })
}
