import { languageOf } from '../locales/languages.ts'

/** Formats numbers and times. `locale` is a BCP 47 tag. */

/** Caches formatters by language and options, because creating one takes longer than formatting a hundred numbers. */
const numbers = new Map<string, Intl.NumberFormat>()
const dates = new Map<string, Intl.DateTimeFormat>()

function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${locale} ${Object.values(options).join(' ')}`
  const format = numbers.get(key) ?? new Intl.NumberFormat(locale, options)
  numbers.set(key, format)
  return format
}

function dateFormat(locale: string): Intl.DateTimeFormat {
  const format =
    dates.get(locale) ??
    new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      ...languageOf(locale).date,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  dates.set(locale, format)
  return format
}

const SIZE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

const powerOf = (sizeBytes: number): number =>
  Math.min(Math.floor(Math.log(sizeBytes) / Math.log(1024)), SIZE_UNITS.length - 1)

/** Formats bytes with base 1024 and at most two decimals, such as `1.5 KB`. */
export function formatBytes(sizeBytes: number, locale: string): string {
  const isReal = Number.isFinite(sizeBytes) && sizeBytes > 0
  const power = isReal ? powerOf(sizeBytes) : 0
  const value = isReal ? sizeBytes / 1024 ** Math.max(power, 0) : 0
  const number = isPlain(value, locale)
    ? String(value)
    : numberFormat(locale, { maximumFractionDigits: 2 }).format(value)
  return `${number} ${SIZE_UNITS[Math.max(power, 0)]}`
}

/** Formats a limit in bytes, rounded down, so that a file of the displayed size is never too large. */
export function formatByteLimit(limitBytes: number, locale: string): string {
  const hundredth = 1024 ** Math.max(powerOf(limitBytes), 0) / 100
  return formatBytes(Math.floor(limitBytes / hundredth) * hundredth, locale)
}

const isPlain = (value: number, locale: string) =>
  Number.isInteger(value) && value >= 0 && value < languageOf(locale).plainBelow

export const formatNumber = (value: number, locale: string): string =>
  isPlain(value, locale) ? String(value) : numberFormat(locale).format(value)

/** Formats a fraction from 0 to 1 as a percentage, such as `42%`. */
export const formatPercent = (share: number, locale: string, maximumFractionDigits = 0): string =>
  numberFormat(locale, { style: 'percent', maximumFractionDigits }).format(share)

/** Formats date and time to the minute, with 24 hours, in the local time zone. */
export const formatDateTime = (instant: string | number, locale: string): string =>
  dateFormat(locale).format(new Date(instant))

/** Adds spaces between digits and Han characters to the output of `Intl`, if the language uses such spaces. */
const parted = (text: string, locale: string): string =>
  languageOf(locale).hasBlankAtDigits
    ? text.replaceAll(/(?<=\d)(?=\p{Script=Han})|(?<=\p{Script=Han})(?=\d)/gu, ' ')
    : text

const MINUTE_MS = 60_000
const STEPS = [
  ['year', 365 * 24 * 60 * MINUTE_MS],
  ['month', 30 * 24 * 60 * MINUTE_MS],
  ['week', 7 * 24 * 60 * MINUTE_MS],
  ['day', 24 * 60 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
] as const

/**
 * Formats a relative time in its largest whole unit, such as `in 3 hours` or `2 days ago`. Returns
 * `just now` if `instant` was less than a minute ago, and `now` if it is less than half a minute ahead.
 */
export function formatRelative(
  instant: string | number,
  locale: string,
  { nowMs = Date.now(), style = 'long' }: { nowMs?: number; style?: 'long' | 'short' } = {},
): string {
  const distanceMs = new Date(instant).getTime() - nowMs
  // Adds half a minute, because a new share that expires in one hour must not show “in 59 minutes”.
  const size = distanceMs > 0 ? distanceMs + MINUTE_MS / 2 : -distanceMs
  const step = STEPS.find(([, ms]) => size >= ms)
  if (!step && distanceMs <= 0) return languageOf(locale).justNow
  if (!step) return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'second')
  const [unit, unitMs] = step
  const distance = Math.sign(distanceMs) * Math.floor(size / unitMs)
  return parted(new Intl.RelativeTimeFormat(locale, { style }).format(distance, unit), locale)
}

/** Milliseconds until an instant; negative if the instant is in the past. */
export const msUntil = (instant: string, nowMs = Date.now()): number => new Date(instant).getTime() - nowMs

type TimeUnit = 'second' | 'minute' | 'hour' | 'day'

/** Formats a number with its unit, such as `3 days`. */
export const formatUnits = (value: number, unit: TimeUnit, locale: string): string =>
  parted(numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value), locale)

/** Formats a duration, such as `15 seconds` or `2 hours`. */
export function formatSpan(seconds: number, locale: string): string {
  const [value, unit]: readonly [number, TimeUnit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7200
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour']
  return formatUnits(value, unit, locale)
}
