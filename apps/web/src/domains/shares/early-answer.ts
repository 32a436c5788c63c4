import type { RawAnswer } from '../api/api-client.ts'
import type { SentRequest } from '../../lib/api-error.ts'

/**
 * Response to a request that was sent before the app was loaded. The app reuses the response, because a second
 * request would count as another view.
 */
export interface EarlyAnswer {
  readonly slug: string
  readonly answer: RawAnswer
  readonly sent: SentRequest
}

let waiting: EarlyAnswer | null = null

export function handOver(answer: EarlyAnswer): void {
  waiting = answer
}

/** Returns the pending response for this share and removes it. */
export function takeEarlyAnswer(slug: string): EarlyAnswer | null {
  if (waiting?.slug !== slug) return null
  const taken = waiting
  waiting = null
  return taken
}

/** Returns the pending response for this share without removing it. */
export const peekEarlyAnswer = (slug: string): EarlyAnswer | null => (waiting?.slug === slug ? waiting : null)
