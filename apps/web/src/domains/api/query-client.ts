import { type Query, QueryClient } from '@tanstack/react-query'
import { getLoginAgain, onSessionGone, subscribeSession } from '../session/session.ts'
import { ApiError } from '../../lib/api-error.ts'

const MAX_RETRIES = 2

/** Only temporary failures are retried: a failed connection, or a server that is unreachable for a moment. */
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
        // Offline a response may be stored on this device; without one the query fails at once.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
  const isPrivate = (query: Query) => query.meta?.['isPrivate'] === true
  // What one identity was shown must not be there for the next one.
  onSessionGone(() => client.removeQueries({ predicate: isPrivate }))
  subscribeSession(() => {
    // Nobody would be answered.
    if (getLoginAgain() === null) void client.invalidateQueries({ predicate: isPrivate })
  })
  return client
}
