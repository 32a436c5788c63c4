import { type Query, QueryClient } from '@tanstack/react-query'
import { getLoginAgain, onSessionGone, subscribeSession } from '../session/session.ts'
import { ApiError } from '../../lib/api-error.ts'

const MAX_RETRIES = 2

/** Only what may pass by itself is tried again: a broken line, or a server that is away for a moment. */
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
        // Without a line there may be an answer on this device; what there is none of fails at once and says so.
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
