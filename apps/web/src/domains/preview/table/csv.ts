export const DELIMITERS = [',', '\t', ';', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

const SAMPLE_ROWS = 30

/** Parses CSV in chunks. */
export interface CsvReader {
  /** @returns the rows that are complete so far */
  readonly push: (text: string) => string[][]
  /** @returns the last row if it had no line end */
  readonly end: () => string[][]
}

/**
 * Creates a CSV parser. Quoted values can contain line ends, the delimiter and doubled quotes. If a quote is never
 * closed, the value extends to the end of the text. Source: RFC 4180, read 2026-11-22.
 */
export function createCsvReader(delimiter: Delimiter): CsvReader {
  let row: string[] = []
  let value = ''
  let isQuoted = false
  /**
   * Whether the previous character was a quote inside a quoted value. The next character decides whether that quote
   * has closed the value.
   */
  let isAfterQuote = false
  let isAfterReturn = false
  const endValue = () => {
    row.push(value)
    value = ''
    isAfterQuote = false
  }
  const endRow = (rows: string[][]) => {
    endValue()
    rows.push(row)
    row = []
  }
  /** @returns the index at which to continue */
  const readPlain = (text: string, index: number, rows: string[][]): number => {
    const character = text.charAt(index)
    if (isAfterReturn && character === '\n') {
      isAfterReturn = false
      return index + 1
    }
    isAfterReturn = character === '\r'
    if (character === delimiter) endValue()
    else if (character === '\n' || character === '\r') endRow(rows)
    else if (character === '"' && value === '' && !isAfterQuote) isQuoted = true
    else {
      let end = index + 1
      while (end < text.length && !STOPS.has(text.charAt(end)) && text.charAt(end) !== delimiter) end += 1
      value += text.slice(index, end)
      return end
    }
    return index + 1
  }
  const readQuoted = (text: string, index: number): number => {
    if (isAfterQuote) {
      isAfterQuote = false
      if (text.charAt(index) === '"') {
        value += '"'
        return index + 1
      }
      isQuoted = false
      return index
    }
    const end = text.indexOf('"', index)
    value += text.slice(index, end === -1 ? text.length : end)
    if (end === -1) return text.length
    isAfterQuote = true
    return end + 1
  }
  return {
    push: (text) => {
      const rows: string[][] = []
      let index = 0
      while (index < text.length) index = isQuoted ? readQuoted(text, index) : readPlain(text, index, rows)
      return rows
    },
    end: () => {
      const rows: string[][] = []
      if (value !== '' || row.length > 0 || isQuoted) endRow(rows)
      isQuoted = false
      return rows
    },
  }
}

const STOPS = new Set(['\n', '\r', '"'])

/** Matches `sep=;` in the first line, which sets the delimiter. */
const INSTRUCTION = /^\uFEFF?"?sep=(.)"?[^\S\r\n]*(?:\r\n|\r|\n|$)/i

/** @returns the text without the line that sets the delimiter, and the delimiter */
export function readInstruction(text: string): { text: string; delimiter: Delimiter | null } {
  const [line, sign] = INSTRUCTION.exec(text) ?? []
  if (line === undefined) return { text, delimiter: null }
  return { text: text.slice(line.length), delimiter: DELIMITERS.find((each) => each === sign) ?? null }
}

/** Finds the delimiter for which most rows have the same number of values. A row must have at least two values. */
export function findDelimiter(sample: string, extension: string): Delimiter {
  const fallback = extension === 'tsv' || extension === 'tab' ? '\t' : ','
  let best: { delimiter: Delimiter; score: number } = { delimiter: fallback, score: 0 }
  for (const delimiter of DELIMITERS) {
    const rows = createCsvReader(delimiter).push(sample).slice(0, SAMPLE_ROWS)
    const counts = new Map<number, number>()
    for (const row of rows) counts.set(row.length, (counts.get(row.length) ?? 0) + 1)
    for (const [columns, count] of counts) {
      const score = columns > 1 ? (count / rows.length) * (1 + Math.min(columns, 20) / 100) : 0
      if (score > best.score) best = { delimiter, score }
    }
  }
  return best.delimiter
}
