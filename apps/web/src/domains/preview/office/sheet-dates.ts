import { type CellObject, SSF } from '@e965/xlsx'

/** Built-in date formats that depend on the locale. A file contains only the number of such a format. */
const BUILT_IN: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  'm/d/yy': { year: 'numeric', month: 'numeric', day: 'numeric' },
  'm/d/yy h:mm': {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  },
  'd-mmm-yy': { year: 'numeric', month: 'short', day: 'numeric' },
  'd-mmm': { month: 'short', day: 'numeric' },
  'mmm-yy': { year: 'numeric', month: 'short' },
}

/** Matches the output of the library for East Asian formats. There is no other way to recognise these formats. */
const MADE_OF_EAST_ASIAN = /^\d{1,2}\/\d{1,2}\/\d{2}$/

function builtInOf({ t, z, w }: CellObject): Intl.DateTimeFormatOptions | undefined {
  if (t !== 'n') return undefined
  if (z === undefined && w !== undefined && MADE_OF_EAST_ASIAN.test(w)) return BUILT_IN['m/d/yy']
  return BUILT_IN[String(z)]
}

/**
 * Formats a date with a built-in format for a language. The year has four digits. Returns `null` for cells without
 * such a format.
 * @param language a BCP 47 tag
 */
export function writeDate(cell: CellObject, language: string, isFrom1904: boolean): string | null {
  const options = builtInOf(cell)
  if (!options) return null
  const written: unknown = SSF.format('yyyy-mm-dd hh:mm:ss', cell.v, { date1904: isFrom1904 })
  const instant = new Date(`${String(written).replace(' ', 'T')}Z`)
  if (Number.isNaN(instant.getTime())) return null
  return new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(instant)
}
