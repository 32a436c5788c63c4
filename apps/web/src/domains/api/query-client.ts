import { type Query, QueryClient } from '@tanstack/react-query'
import { getLoginAgain, onSessionGone, subscribeSession } from '../session/session.ts'
import { ApiError } from '../../lib/api-error.ts'

const MAX_RETRIES = 2

/** Retries only failures that can be temporary: a broken connection, or an unreachable server. */
const isWorthRetrying = (failures: number, error: unknown) => {
  const isPassing =
    error instanceof ApiError && (error.kind === 'network' || [502, 503, 504].includes(error.status))
  return isPassing && navigator.onLine && failures < MAX_RETRIES
}

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: isWorthRetrying,
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        // Sends requests even while offline, because the service worker can have a cached response. Without one, the
        // request fails at once.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
  const isPrivate = (query: Query) => query.meta?.['isPrivate'] === true
  // Removes private data so that the next user does not see it.
  onSessionGone(() => client.removeQueries({ predicate: isPrivate }))
  subscribeSession(() => {
    // While a new login is required, nothing is refetched, because the requests would fail.
    if (getLoginAgain() === null) void client.invalidateQueries({ predicate: isPrivate })
  })
  return client
}
