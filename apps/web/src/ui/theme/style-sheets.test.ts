import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = join(import.meta.dirname, '../..')
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).map((name) => join(SOURCES, name))
const isCode = (file: string) => /\.tsx?$/.test(file) && !file.includes('.test.')
const code = new Map(files.filter(isCode).map((file) => [file, readFileSync(file, 'utf8')]))
const sheets = files.filter((file) => file.endsWith('.module.css'))

const matchesOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, match = '']) => match)

function classesIn(sheet: string): Set<string> {
  const css = readFileSync(sheet, 'utf8')
  const selectors = matchesOf(css.replaceAll(/\/\*[\s\S]*?\*\/|:global\([^)]*\)/g, ''), /([^{};]+)\{/g)
  return new Set(selectors.flatMap((selector) => matchesOf(selector, /\.([A-Za-z_]\w*)/g)))
}

interface Use {
  readonly names: readonly string[]
  /** Whether the used classes cannot be determined: a name is computed, or the whole object is passed on. */
  readonly isOpen: boolean
}

/** Returns the classes that a file uses from an imported style sheet. */
function takenFrom(source: string, local: string): Use {
  const rest = source.replaceAll(/^import .*$/gm, '')
  return {
    names: matchesOf(rest, new RegExp(String.raw`\b${local}(?:\.|\[')(\w+)`, 'g')),
    isOpen: new RegExp(String.raw`\b${local}(?:\[[^']|(?![\w.[]))`).test(rest),
  }
}

const usesOf = (sheet: string): Use[] => [
  ...[...code].flatMap(([file, source]) =>
    [...source.matchAll(/^import (\w+) from '([^']+\.module\.css)'/gm)].flatMap(([, local = '', path = '']) =>
      join(dirname(file), path) === sheet ? takenFrom(source, local) : [],
    ),
  ),
  ...sheets.map((other) => ({ names: composedFrom(sheet, other), isOpen: false })),
]

function composedFrom(sheet: string, other: string): string[] {
  const composed = [...readFileSync(other, 'utf8').matchAll(/composes: ([\w ]+) from '([^']+)'/g)]
  return composed.flatMap(([, names = '', path = '']) =>
    join(dirname(other), path) === sheet ? names.split(' ') : [],
  )
}

test.each(sheets.map((sheet) => relative(SOURCES, sheet)))(
  '%s has the classes that are used, no others',
  (name) => {
    const sheet = join(SOURCES, name)
    const classes = classesIn(sheet)
    const uses = usesOf(sheet)
    const used = new Set(uses.flatMap(({ names }) => names))
    expect([...used].filter((one) => !classes.has(one))).toEqual([])
    const unused = [...classes].filter((one) => !used.has(one))
    expect(uses.some(({ isOpen }) => isOpen) ? [] : unused).toEqual([])
  },
)
