import { UPLOAD_SIZE_LIMIT_MB } from '@dropleaf/contract'

export const SIZE_UNITS = ['KB', 'MB', 'GB'] as const
export type SizeUnit = (typeof SIZE_UNITS)[number]

/** A size as the user has typed it. */
export interface SizeInput {
  readonly amount: string
  readonly unit: SizeUnit
}

/** Plain decimal numbers; not `1e3` or `0x10`. */
const DECIMAL = /^\d*\.?\d+$/
const MB_OF: Record<SizeUnit, number> = { KB: 1 / 1024, MB: 1, GB: 1024 }

/** Converts a size to the largest unit that gives an integer. */
export const sizeInputOf = (sizeMb: number): SizeInput =>
  sizeMb >= 1024 && sizeMb % 1024 === 0
    ? { amount: String(sizeMb / 1024), unit: 'GB' }
    : { amount: String(sizeMb), unit: 'MB' }

export type SizeProblem = 'notANumber' | 'notWhole' | 'tooSmall' | 'tooLarge'

/** Returns the size in whole MB, as the server stores it, or an error. */
export function parseSize({ amount, unit }: SizeInput): number | SizeProblem {
  const value = DECIMAL.test(amount.trim()) ? Number(amount) : 0
  if (value <= 0) return 'notANumber'
  const sizeMb = value * MB_OF[unit]
  if (sizeMb < 1) return 'tooSmall'
  if (sizeMb > UPLOAD_SIZE_LIMIT_MB) return 'tooLarge'
  return Number.isInteger(sizeMb) ? sizeMb : 'notWhole'
}
