import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Only the start of a long password is estimated, because the estimate is slow. */
const MAX_LENGTH = 100

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_LENGTH })

/** Reasons for a weak password that have a translation. */
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
  /** From 0 (guessed at once) to 4 (not guessable). */
  readonly score: 0 | 1 | 2 | 3 | 4
  readonly warning: Warning | null
}

/**
 * Estimates a password by the patterns that attackers try: common passwords and variants, keyboard rows, dates,
 * repetitions. Do not load this module on the first visit, because the list of common passwords is large.
 * @param known words that an attacker knows about this server and its owner
 */
export function estimateStrength(password: string, known: readonly string[]): Strength {
  const { score, feedback } = estimator.check(
    password,
    known.filter((word) => word !== ''),
  )
  return { score, warning: WARNINGS.find((warning) => warning === feedback.warning) ?? null }
}
