import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Guesses grow slower than the work of counting them; what is longer is as good as its beginning. */
const MAX_LENGTH = 100

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_LENGTH })

/** What makes a password easy to guess, as far as there are words for it. */
export const WARNINGS = [
  'straightRow',
  'keyPattern',
  'simpleRepeat',
  'extendedRepeat',
  'sequences',
  'recentYears',
  'dates',
  'topTen',
  'topHundred',
  'common',
  'similarToCommon',
  'wordByItself',
  'userInputs',
] as const
export type Warning = (typeof WARNINGS)[number]

export interface Strength {
  /** From 0, guessed at once, to 4, not guessed. */
  readonly score: 0 | 1 | 2 | 3 | 4
  readonly warning: Warning | null
}

/**
 * How many guesses a password would stand, by the patterns that guessers try: common passwords and their variants, rows of keys,
 * dates, repeats. Not for the first visit: the list of common passwords is large.
 * @param known words that a guesser knows of this server and its owner.
 */
export function estimateStrength(password: string, known: readonly string[]): Strength {
  const { score, feedback } = estimator.check(
    password,
    known.filter((word) => word !== ''),
  )
  return { score, warning: WARNINGS.find((warning) => warning === feedback.warning) ?? null }
}
