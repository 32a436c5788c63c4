/** What a page read before a service worker could keep it. */
export interface UnkeptAnswer {
  readonly url: string
  readonly authorization: string | null
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/** A first visit reads little before the worker is there. */
const MAX_ANSWERS = 30

/** `null` where nobody will ask for them. */
let waiting: UnkeptAnswer[] | null =
  typeof navigator !== 'undefined' && 'serviceWorker' in navigator && !navigator.serviceWorker.controller
    ? []
    : null

/** Keeps a successful answer until {@link takeUnkept}. */
export function noteUnkept(
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

/** Answers them once; from then on none are kept here. */
export function takeUnkept(): readonly UnkeptAnswer[] {
  const taken = waiting ?? []
  waiting = null
  return taken
}
