import { type Query, QueryClient } from '@tanstack/react-query'
import { getLoginAgain, onSessionGone, subscribeSession } from '../session/session.ts'
import { ApiError } from '../../lib/api-error.ts'

const MAX_RETRIES = 2

/** Retries only failures that may be temporary: a broken connection or an unreachable server. */
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
        // Offline the service worker may have a response. If it has none, the request fails at once.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
  const isPrivate = (query: Query) => query.meta?.['isPrivate'] === true
  // The next user must not see data of the previous one.
  onSessionGone(() => client.removeQueries({ predicate: isPrivate }))
  subscribeSession(() => {
    // During a new login the requests would fail.
    if (getLoginAgain() === null) void client.invalidateQueries({ predicate: isPrivate })
  })
  return client
}
