import type { RawAnswer } from '../api/api-client.ts'
import type { SentRequest } from '../../lib/api-error.ts'

/** The answer that was asked for before the app was there; opening a share twice would use up two of its views. */
export interface EarlyAnswer {
  readonly slug: string
  readonly answer: RawAnswer
  readonly sent: SentRequest
}

let waiting: EarlyAnswer | null = null

export function handOver(answer: EarlyAnswer): void {
  waiting = answer
}

/** The waiting answer for this share. It can be taken once. */
export function takeEarlyAnswer(slug: string): EarlyAnswer | null {
  if (waiting?.slug !== slug) return null
  const taken = waiting
  waiting = null
  return taken
}

/** Looks without taking. */
export const peekEarlyAnswer = (slug: string): EarlyAnswer | null => (waiting?.slug === slug ? waiting : null)
