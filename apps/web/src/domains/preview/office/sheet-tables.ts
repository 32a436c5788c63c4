import { type CellObject, read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx'
import type { SheetReply, SheetTable } from './sheet-data.ts'
import { writeDate } from './sheet-dates.ts'

/** Limits per sheet; larger sheets would need too much memory. */
const MAX_ROWS = 100_000
const MAX_COLUMNS = 1000

type Rows = readonly (readonly (CellObject | undefined)[] | undefined)[]

/** Returns the parsed cells and ignores the declared range, which can be wrong. */
const rowsOf = (sheet: WorkSheet | undefined): Rows => (sheet?.['!data'] as Rows | undefined) ?? []

function toTable(book: WorkBook, name: string, language: string): SheetTable {
  const sheet = book.Sheets[name]
  const cells = rowsOf(sheet)
  const columns = cells.reduce((most, row) => Math.max(most, row?.length ?? 0), 0)
  if (!sheet || columns === 0) return { name, rows: [], isCut: false }
  const isFrom1904 = book.Workbook?.WBProps?.date1904 === true
  for (const row of cells) {
    for (const cell of row ?? []) {
      const date = cell && writeDate(cell, language, isFrom1904)
      if (cell && date !== null && date !== undefined) cell.w = date
    }
  }
  const isCut = cells.length > MAX_ROWS || columns > MAX_COLUMNS
  const shown = {
    s: { r: 0, c: 0 },
    e: { r: Math.min(cells.length, MAX_ROWS) - 1, c: Math.min(columns, MAX_COLUMNS) - 1 },
  }
  sheet['!ref'] = utils.encode_range(shown)
  const rows = utils.sheet_to_json<string[]>(sheet, {
    header: 1,
    raw: false,
    defval: '',
    blankrows: true,
    range: shown,
  })
  return { name, rows: rows.map((row) => Array.from(row, String)), isCut }
}

/**
 * Parses the sheets of a workbook.
 * @param language a BCP 47 tag, for dates
 */
export function readSheets(bytes: Uint8Array, language: string): SheetReply {
  try {
    const book = read(bytes, {
      type: 'array',
      dense: true,
      cellHTML: false,
      cellNF: true,
      // Reads one more row, to detect whether rows are omitted.
      sheetRows: MAX_ROWS + 1,
    })
    return { sheets: book.SheetNames.map((name) => toTable(book, name, language)) }
  } catch (error) {
    if (/password|encrypt/i.test(String(error))) return { isEncrypted: true }
    throw error
  }
}
