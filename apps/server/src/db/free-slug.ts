import { type ErrorSpec, RANDOM_SLUG_LENGTH } from '@dropleaf/contract'
import { AppError } from '../lib/app-error.ts'
import { randomText } from '../lib/ids.ts'
import { isUniqueViolation } from './database.ts'

const SLUG_TRIES = 5

interface SlugUse<T> {
  /** Requested link suffix; `null` requests a random suffix. */
  readonly wanted: string | null
  /** Error if the suffix is taken, or if no free suffix was found. */
  readonly taken: ErrorSpec
  /**
   * Finds the error for a unique violation of a column other than the link suffix. A different suffix would not
   * resolve such a violation.
   */
  readonly findOther?: (cause: unknown) => Promise<AppError | undefined>
  readonly save: (slug: string) => Promise<T>
}

/**
 * Runs `save` with the wanted suffix, or with random suffixes until one is free. @throws {AppError} `taken`, or the
 * error that `findOther` returns
 */
export async function withFreeSlug<T>({ wanted, taken, findOther, save }: SlugUse<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await save(wanted ?? randomText(RANDOM_SLUG_LENGTH))
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      const other = await findOther?.(error)
      if (other) throw other
      if (wanted !== null || tries >= SLUG_TRIES) throw new AppError(taken, { cause: error })
    }
  }
}
