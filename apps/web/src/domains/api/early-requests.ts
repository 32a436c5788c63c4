/** What was asked for before the app was there: the app goes on with the same answers, and asks for nothing twice. */
const asked = new Map<string, Promise<Response>>()

type Headers = Readonly<Record<string, string>>

const keyOf = (url: string, { Range = '', Authorization = '' }: Headers) =>
  [url, Range, Authorization].join('\n')

const LONGEST_WAIT_MS = 30_000

/** @returns an answer of its own for who asks here; that of the app waits for {@link fetchOnce}. */
export function askEarly(url: string, headers: Headers): Promise<Response> {
  const answer = fetch(url, { headers, signal: AbortSignal.timeout(LONGEST_WAIT_MS) })
  asked.set(keyOf(url, headers), answer)
  return answer.then((response) => response.clone())
}

interface Request extends RequestInit {
  readonly headers: Headers
}

/** `fetch`; what was asked for early is answered by that, once, even where it failed: asking again could take another view. */
export function fetchOnce(url: string, request: Request): Promise<Response> {
  const key = keyOf(url, request.headers)
  const early = (request.method ?? 'GET') === 'GET' ? asked.get(key) : undefined
  asked.delete(key)
  return early ?? fetch(url, request)
}

/** What the first page has not taken is no longer new when somebody asks for it. */
export const forgetEarlyRequests = (): void => asked.clear()
