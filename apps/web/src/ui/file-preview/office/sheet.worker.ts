import { read, utils, type WorkBook } from '@e965/xlsx'
import { answerAsks } from '../answer-asks.ts'
import type { SheetReply, SheetTable } from './sheet-data.ts'

/** Of each sheet. More is seldom looked at, and would fill the memory. */
const MAX_ROWS = 100_000
const MAX_COLUMNS = 1000

function toTable(book: WorkBook, name: string): SheetTable {
  const sheet = book.Sheets[name]
  const area = sheet?.['!ref']
  if (!sheet || area === undefined) return { name, rows: [], isCut: false }
  const range = utils.decode_range(area)
  const isCut = range.e.r >= MAX_ROWS || range.e.c >= MAX_COLUMNS
  const shown = {
    s: { r: 0, c: 0 },
    e: { r: Math.min(range.e.r, MAX_ROWS - 1), c: Math.min(range.e.c, MAX_COLUMNS - 1) },
  }
  const rows = utils.sheet_to_json<string[]>(sheet, {
    header: 1,
    raw: false,
    defval: '',
    blankrows: true,
    range: shown,
  })
  return { name, rows: rows.map((row) => Array.from(row, String)), isCut }
}

answerAsks((bytes: Uint8Array): SheetReply => {
  try {
    const book = read(bytes, { type: 'array', dense: true, cellHTML: false, sheetRows: MAX_ROWS })
    return { sheets: book.SheetNames.map((name) => toTable(book, name)) }
  } catch (error) {
    if (/password|encrypt/i.test(String(error))) return { isEncrypted: true }
    throw error
  }
})
