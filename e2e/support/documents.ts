import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Third-party programs that read exported documents. */
const PROGRAMS = [
  { name: 'pandoc', debianPackage: 'pandoc' },
  { name: 'pdftotext', debianPackage: 'poppler-utils' },
] as const

const isInstalled = (name: string): boolean =>
  [...(process.env['PATH'] ?? '').split(':'), '/usr/bin'].some((folder) => existsSync(join(folder, name)))

export const missingPrograms = () => PROGRAMS.filter(({ name }) => !isInstalled(name))

/** Whether tests that need these programs may be skipped. */
export const maySkipDocuments = (): boolean =>
  process.env['ALLOW_SKIP']?.split(',').includes('documents') ?? false

/** @throws {Error} with instructions if a program is missing */
export function requirePrograms(): void {
  const missing = missingPrograms().map(({ debianPackage }) => debianPackage)
  if (missing.length > 0)
    throw new Error(
      `The tests of exports read them with ${missing.join(' and ')}: install the Debian packages of these names, or leave these tests out with ALLOW_SKIP=documents.`,
    )
}

/**
 * Whether LibreOffice is installed. It needs 300 MB and is not installed for tests. If it is installed, a test with
 * `EVERY_WORLD=1` prints an exported document with it.
 */
export const hasLibreOffice = (): boolean => isInstalled('soffice')

/** Calls `use` with a temporary file that contains the bytes. */
async function withFile<T>(
  name: string,
  bytes: Uint8Array,
  use: (file: string, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-document-'))
  try {
    const file = join(folder, name)
    await writeFile(file, bytes)
    return await use(file, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const TIMEOUT_MS = 60_000

async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024 ** 2,
  })
  return stdout
}

/** Extracts the text of a PDF in page order. */
export const textOfPdf = (pdf: Uint8Array): Promise<string> =>
  withFile('document.pdf', pdf, (file) => run('pdftotext', ['-layout', file, '-']))

/** Prints a Word document with LibreOffice. @returns a PDF */
export const printedByLibreOffice = (word: Uint8Array): Promise<Buffer> =>
  withFile('document.docx', word, async (file, folder) => {
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
    await run('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, file])
    return readFile(join(folder, 'document.pdf'))
  })

/** A node of pandoc's document tree, with a type `t` and contents `c`. */
interface PandocNode {
  readonly t: string
  readonly c?: unknown
}

const isNode = (value: unknown): value is PandocNode =>
  typeof value === 'object' && value !== null && typeof (value as PandocNode).t === 'string'

function* walk(value: unknown): Generator<PandocNode> {
  if (isNode(value)) yield value
  if (Array.isArray(value)) for (const inner of value) yield* walk(inner)
  else if (typeof value === 'object' && value !== null) yield* walk(Object.values(value))
}

/** Returns the text below a node, with formulas as their source and without notes. */
function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join('')
  if (!isNode(value)) return ''
  if (value.t === 'Str') return String(value.c)
  if (/^(?:Space|SoftBreak|LineBreak)$/.test(value.t)) return ' '
  if (value.t === 'Code' || value.t === 'Math') return String((value.c as unknown[])[1])
  if (value.t === 'Note') return ''
  return wordsOf(value.c)
}

type Cell = readonly [attributes: unknown, alignment: unknown, rows: number, columns: number, blocks: unknown]
type Row = readonly [attributes: unknown, cells: readonly Cell[]]

function rowsOf(table: readonly unknown[]): string[][] {
  const head = (table[3] as [unknown, Row[]])[1]
  const bodies = table[4] as [unknown, unknown, Row[], Row[]][]
  const rows = [...head, ...bodies.flatMap(([, , heads, others]) => [...heads, ...others])]
  return rows.map(([, cells]) => cells.map((cell) => wordsOf(cell[4]).trim()))
}

/** Contents of a document as pandoc reads them. */
export interface ReadDocument {
  readonly headings: readonly (readonly [level: number, words: string])[]
  /** Cells of each table, row by row, including the header. */
  readonly tables: readonly (readonly (readonly string[])[])[]
  /** Formulas as TeX. */
  readonly formulas: readonly string[]
  readonly code: readonly string[]
  readonly pictures: number
  readonly notes: number
  /** Items of ordered lists with their numbers, such as `1. words`. */
  readonly numbered: readonly string[]
}

export const readByPandoc = (bytes: Uint8Array, form: 'docx' | 'html' | 'gfm'): Promise<ReadDocument> =>
  withFile(`document.${form}`, bytes, async (file) => {
    const nodes = [...walk(JSON.parse(await run('pandoc', ['-f', form, '-t', 'json', file])))]
    const of = (type: string) => nodes.filter(({ t }) => t === type).map(({ c }) => c as unknown[])
    return {
      headings: of('Header').map(([level, , words]) => [Number(level), wordsOf(words)] as const),
      tables: of('Table').map(rowsOf),
      formulas: of('Math').map(([, source]) => String(source)),
      code: of('CodeBlock').map(([, source]) => String(source)),
      pictures: of('Image').length,
      notes: of('Note').length,
      numbered: of('OrderedList').flatMap(([kind, items]) =>
        (items as unknown[]).map(
          (item, index) => `${Number((kind as unknown[])[0]) + index}. ${wordsOf(item).trim()}`,
        ),
      ),
    }
  })
