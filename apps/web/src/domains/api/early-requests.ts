/**
 * Requests that were sent before the app was loaded, by key. The app uses their responses instead of requesting again.
 */
const asked = new Map<string, Promise<Response>>()

type Headers = Readonly<Record<string, string>>

const keyOf = (url: string, { Range = '', Authorization = '' }: Headers) =>
  [url, Range, Authorization].join('\n')

const LONGEST_WAIT_MS = 30_000

/**
 * Sends a request before the app is loaded.
 * @returns a copy of the response. The app gets the original from {@link fetchOnce}.
 */
export function askEarly(url: string, headers: Headers): Promise<Response> {
  const answer = fetch(url, { headers, signal: AbortSignal.timeout(LONGEST_WAIT_MS) })
  asked.set(keyOf(url, headers), answer)
  return answer.then((response) => response.clone())
}

interface Request extends RequestInit {
  readonly headers: Headers
}

/**
 * Like `fetch`, but returns the response of an early request if there is one. Also returns the failure of an early
 * request, because a second request could count as a second view.
 */
export function fetchOnce(url: string, request: Request): Promise<Response> {
  const key = keyOf(url, request.headers)
  const early = (request.method ?? 'GET') === 'GET' ? asked.get(key) : undefined
  asked.delete(key)
  return early ?? fetch(url, request)
}

/** Discards unused early responses, so that the app does not use them when they are stale. */
export const forgetEarlyRequests = (): void => asked.clear()
