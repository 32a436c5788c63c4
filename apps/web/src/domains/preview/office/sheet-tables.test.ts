import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js/lib/zip-core-custom.js'
import { expect, test } from 'vitest'
import { readSheets } from './sheet-tables.ts'

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

interface BookOptions {
  /** Declared range of used cells. */
  readonly dimension: string
  /** IDs of built-in formats. */
  readonly formats?: readonly number[]
  readonly isFrom1904?: boolean
}

async function makeBook(
  rows: string,
  { dimension, formats = [], isFrom1904 = false }: BookOptions,
): Promise<Uint8Array> {
  const styles = [0, ...formats].map((id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join('')
  const files = {
    '[Content_Types].xml':
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/_rels/workbook.xml.rels':
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="r2" Type="${DOCUMENT}/styles" Target="styles.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${DOCUMENT}"><workbookPr date1904="${isFrom1904 ? 1 : 0}"/><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/styles.xml': `<styleSheet xmlns="${SHEET}"><cellXfs count="${formats.length + 1}">${styles}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SHEET}"><dimension ref="${dimension}"/><sheetData>${rows}</sheetData></worksheet>`,
  }
  const zip = new ZipWriter(new Uint8ArrayWriter())
  for (const [name, text] of Object.entries(files)) await zip.add(name, new TextReader(text))
  return zip.close()
}

async function rowsOf(book: Promise<Uint8Array>, language = 'en-US') {
  const reply = readSheets(await book, language)
  return 'sheets' in reply ? reply.sheets[0]?.rows : undefined
}

const twenty = Array.from(
  { length: 20 },
  (_, at) => `<row r="${at + 1}"><c r="A${at + 1}"><v>${at + 1}</v></c><c r="C${at + 1}"><v>7</v></c></row>`,
).join('')

test.each(['A1:B3', 'A1:XFD1048576', 'B2:B2'])(
  'the used cells determine the size, not the declared range: %s',
  async (dimension) => {
    const rows = await rowsOf(makeBook(twenty, { dimension }))
    expect(rows).toHaveLength(20)
    expect(rows?.at(-1)).toEqual(['20', '', '7'])
  },
)

const FORMATS = [14, 22, 31, 15, 16, 17, 10, 21]
const row = FORMATS.map(
  (_, at) => `<c r="${'ABCDEFGH'[at]}1" s="${at + 1}"><v>${at === 6 ? 0.125 : 45300.5}</v></c>`,
)

test.each([
  [
    'en-US',
    ['1/9/2024', '1/9/2024, 12:00', '1/9/2024', 'Jan 9, 2024', 'Jan 9', 'Jan 2024', '12.50%', '12:00:00'],
  ],
  [
    'zh-CN',
    ['2024/1/9', '2024/1/9 12:00', '2024/1/9', '2024年1月9日', '1月9日', '2024年1月', '12.50%', '12:00:00'],
  ],
])('dates of built-in formats are those of the reader, with the whole year: %s', async (language, dates) => {
  const options = { dimension: 'A1:H1', formats: FORMATS }
  const rows = `<row r="1">${row.join('')}</row>`
  expect(await rowsOf(makeBook(rows, options), language)).toEqual([dates])
})

test('dates can be counted from 1904', async () => {
  const rows = '<row r="1"><c r="A1" s="1"><v>43838</v></c></row>'
  const options = { dimension: 'A1', formats: [14], isFrom1904: true }
  expect(await rowsOf(makeBook(rows, options))).toEqual([['1/9/2024']])
})
