/** A response received before a service worker could cache it. */
export interface UncachedAnswer {
  readonly url: string
  readonly authorization: string | null
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/** Maximum number of stored responses. A first visit sends only a few requests before the worker is active. */
const MAX_ANSWERS = 30

/** Stored responses. `null` if no worker will request the responses. */
let waiting: UncachedAnswer[] | null =
  typeof navigator !== 'undefined' && 'serviceWorker' in navigator && !navigator.serviceWorker.controller
    ? []
    : null

/** Stores a successful response until {@link takeUncached} is called. */
export function noteUncached(
  response: Response,
  text: string,
  { url, headers }: { url: string; headers: Readonly<Record<string, string>> },
): void {
  if (!waiting || waiting.length >= MAX_ANSWERS || response.status !== 200) return
  waiting.push({
    url: new URL(url, location.origin).href,
    authorization: headers['Authorization'] ?? null,
    status: response.status,
    contentType: response.headers.get('Content-Type') ?? '',
    text,
  })
}

/** Returns the stored responses and stops storing. */
export function takeUncached(): readonly UncachedAnswer[] {
  const taken = waiting ?? []
  waiting = null
  return taken
}
