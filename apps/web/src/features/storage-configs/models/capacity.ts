export const CAPACITY_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const
export type CapacityUnit = (typeof CAPACITY_UNITS)[number]

/** A capacity as the user has typed it; blank means the provider's default. */
export interface CapacityInput {
  readonly amount: string
  readonly unit: CapacityUnit
}

const BYTES: Record<CapacityUnit, number> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 }

/** Converts a capacity to the largest unit that needs at most two decimals. */
export function capacityInputOf(bytes: number | null): CapacityInput {
  if (bytes === null) return { amount: '', unit: 'GB' }
  const unit =
    CAPACITY_UNITS.toReversed().find((one) => {
      const amount = bytes / BYTES[one]
      return amount >= 1 && Number.isInteger(amount * 100)
    }) ?? 'B'
  return { amount: String(bytes / BYTES[unit]), unit }
}

export type CapacityProblem = 'notANumber' | 'tooSmall' | 'tooLarge'

/** Returns bytes, `null` for the default, or an error. */
export function parseCapacity({ amount, unit }: CapacityInput): number | null | CapacityProblem {
  const text = amount.trim()
  if (text === '') return null
  const value = Number(text)
  if (!/^\d+(?:\.\d{1,2})?$/.test(text) || !Number.isFinite(value)) return 'notANumber'
  const bytes = Math.floor(value * BYTES[unit])
  if (bytes < 1) return 'tooSmall'
  return Number.isSafeInteger(bytes) ? bytes : 'tooLarge'
}
