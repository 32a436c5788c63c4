import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** The estimate is slow for long passwords; their start is sufficient. */
const MAX_LENGTH = 100

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_LENGTH })

/** Reasons for a weak password that have a text. */
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
  /** From 0, guessed at once, to 4, not guessable. */
  readonly score: 0 | 1 | 2 | 3 | 4
  readonly warning: Warning | null
}

/**
 * Estimates a password by the patterns that attackers try: common passwords and variants, keyboard rows, dates,
 * repetitions. Not for the first visit: the list of common passwords is large.
 * @param known words that an attacker knows about this server and its owner.
 */
export function estimateStrength(password: string, known: readonly string[]): Strength {
  const { score, feedback } = estimator.check(
    password,
    known.filter((word) => word !== ''),
  )
  return { score, warning: WARNINGS.find((warning) => warning === feedback.warning) ?? null }
}
