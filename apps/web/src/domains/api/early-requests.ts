/** Requests that were sent before the app was loaded. The app takes their responses instead of sending them again. */
const asked = new Map<string, Promise<Response>>()

type Headers = Readonly<Record<string, string>>

const keyOf = (url: string, { Range = '', Authorization = '' }: Headers) =>
  [url, Range, Authorization].join('\n')

const LONGEST_WAIT_MS = 30_000

/** @returns the caller's own copy of the response; the app gets another one from {@link fetchOnce}. */
export function askEarly(url: string, headers: Headers): Promise<Response> {
  const answer = fetch(url, { headers, signal: AbortSignal.timeout(LONGEST_WAIT_MS) })
  asked.set(keyOf(url, headers), answer)
  return answer.then((response) => response.clone())
}

interface Request extends RequestInit {
  readonly headers: Headers
}

/**
 * Like `fetch`, but takes the response of an early request, once. This includes failures: a repeated request could
 * count a second view.
 */
export function fetchOnce(url: string, request: Request): Promise<Response> {
  const key = keyOf(url, request.headers)
  const early = (request.method ?? 'GET') === 'GET' ? asked.get(key) : undefined
  asked.delete(key)
  return early ?? fetch(url, request)
}

/** Discards responses that the first page did not take: they would be stale later. */
export const forgetEarlyRequests = (): void => asked.clear()
