import { registerRoute } from 'workbox-routing'
import { type AnswerPlace, findPlace } from '../domains/offline/copies/answer-places.ts'
import { findAnswer, forgetAnswer, cacheAnswer, removeExcess } from '../domains/offline/copies/answers.ts'
import { offlineDatabase } from '../domains/offline/database.ts'
import { identityOf } from '../domains/offline/copies/identity.ts'
import { OFFLINE_COPY_HEADER } from '../domains/offline/copies/copy-header.ts'
import { mayCacheFor } from './current-identity.ts'
import { pathInApp } from './scope.ts'

/**
 * Response statuses that remove the cached copy: the object is deleted, no longer accessible, or requires confirmation.
 */
const ENDS: ReadonlySet<number> = new Set([401, 403, 404, 410, 428])
/** Number of responses after which the cache is trimmed. */
const TIDY_EVERY = 25

let kept = 0

interface Answer {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/** Caches a response of the server, or nothing if the browser's storage is full. The page gets the response anyway. */
export async function noteAnswer(
  place: AnswerPlace,
  owner: string,
  { status, contentType, text }: Answer,
): Promise<void> {
  const database = offlineDatabase()
  try {
    if (status === 200 && contentType.startsWith('application/json') && mayCacheFor(owner)) {
      await cacheAnswer(database, place, { owner, text, contentType, nowMs: Date.now() })
      kept += 1
      if (kept % TIDY_EVERY === 1) await removeExcess(database, { nowMs: Date.now() })
    } else if (ENDS.has(status)) await forgetAnswer(database, place, owner)
  } catch {
    // If the storage fails, nothing is cached.
  }
}

async function readKept(place: AnswerPlace, owner: string): Promise<Response | null> {
  if (!place.mayStandIn) return null
  const found = await findAnswer(offlineDatabase(), place, { owner, nowMs: Date.now() }).catch(() => null)
  if (!found) return null
  return new Response(found.body, {
    headers: {
      'Content-Type': found.contentType,
      [OFFLINE_COPY_HEADER]: new Date(found.cachedAtMs).toISOString(),
    },
  })
}

const GATEWAY_FAILURES: ReadonlySet<number> = new Set([502, 503, 504])

/** Whether the response comes from a proxy that cannot reach the server. Errors of the server itself are JSON. */
const isOfGateway = ({ status, headers }: Response): boolean =>
  GATEWAY_FAILURES.has(status) && !headers.get('Content-Type')?.startsWith('application/json')

const after = (ms: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), ms))

interface Read {
  readonly event: ExtendableEvent
  readonly request: Request
  readonly place: AnswerPlace
}

/**
 * Returns the server's response. Returns the cached response after a connection error, a timeout, or an error of a
 * proxy that cannot reach the server.
 */
async function answerRead({ event, request, place }: Read): Promise<Response> {
  const owner = await identityOf(request.headers.get('Authorization'))
  const asked = fetch(request)
  const note = async () => {
    // Clones the response, because the page reads the original.
    const response = (await asked).clone()
    const contentType = response.headers.get('Content-Type') ?? ''
    await noteAnswer(place, owner, { status: response.status, contentType, text: await response.text() })
  }
  event.waitUntil(note().catch(() => undefined))
  try {
    const first = await Promise.race([asked, after(place.timeoutMs)])
    if (first && !isOfGateway(first)) return first
    return (await readKept(place, owner)) ?? first ?? (await asked)
  } catch (error) {
    const found = request.signal.aborted ? null : await readKept(place, owner)
    if (found) return found
    throw error
  }
}

const placeOf = (url: URL): AnswerPlace | null => {
  const path = pathInApp(url)
  return path === null ? null : findPlace(path, url.searchParams)
}

export function answerReads(): void {
  registerRoute(
    ({ url }) => placeOf(url) ?? false,
    ({ event, request, params }) => answerRead({ event, request, place: params as unknown as AnswerPlace }),
  )
}
