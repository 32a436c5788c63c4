import { formatUnits } from '../../../lib/format.ts'

const STEPS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** Formats a duration in its two largest units, such as `3 days 4 hours`. */
export function formatUptime(seconds: number, locale: string): string {
  const found = STEPS.findIndex(([, size]) => seconds >= size)
  const first = found === -1 ? STEPS.length - 1 : found
  const [unit, size] = STEPS[first] ?? STEPS[3]
  const whole = Math.floor(seconds / size)
  const next = STEPS[first + 1]
  const rest = next ? Math.floor((seconds - whole * size) / next[1]) : 0
  const words = [
    formatUnits(whole, unit, locale),
    ...(next && rest > 0 ? [formatUnits(rest, next[0], locale)] : []),
  ]
  return words.join(' ')
}
