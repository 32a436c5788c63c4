const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

const powerOf = (bytes: number) => Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), UNITS.length - 1)

/** Formats a human-readable size: base 1024, two decimals, `0 B` for zero. */
export function formatBytes(bytes: number): string {
  if (bytes <= 0) return '0 B'
  const power = powerOf(bytes)
  return `${Number((bytes / 1024 ** power).toFixed(2))} ${UNITS[power] ?? 'B'}`
}

/**
 * Formats a human-readable size as a whole number, in the next smaller unit if rounding would be coarse. The result
 * contains no full stop, because it is part of sentences that are split at their full stop.
 */
export function formatWholeBytes(bytes: number, round: (value: number) => number): string {
  if (bytes <= 0) return '0 B'
  const largest = powerOf(bytes)
  const isCoarse = largest > 0 && bytes % 1024 ** largest !== 0 && bytes < 10 * 1024 ** largest
  const power = isCoarse ? largest - 1 : largest
  return `${round(bytes / 1024 ** power)} ${UNITS[power] ?? 'B'}`
}
