const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** Bytes for people: base 1024, two decimals, `0 B` for zero. */
export function formatBytes(bytes: number): string {
  if (bytes <= 0) return '0 B'
  const power = Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), UNITS.length - 1)
  return `${Number((bytes / 1024 ** power).toFixed(2))} ${UNITS[power] ?? 'B'}`
}
