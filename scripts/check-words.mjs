import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { inRoot } from './lib/paths.mjs'
import { PHRASES } from './lib/words.mjs'

/**
 * Finds phrases of `lib/words.mjs` in comments, documentation and English texts of the product. Exits with 1 if there
 * are any. `node scripts/check-words.mjs FILE…` checks only these files.
 */

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'dist-types', 'data', 'test-results'])

/** Files that quote the phrases, and files that are generated from test titles and package names. */
const SKIPPED_FILES = new Set([
  'docs/glossary.md',
  'docs/advisories.md',
  'docs/licences.md',
  'scripts/lib/words.mjs',
])

/** Sources whose strings are shown to users. In all other sources, only comments are checked. */
const TEXTS =
  /^apps\/(?:web\/src\/locales\/en-US\/|cli\/src\/texts\/en\.ts|server\/src\/.*\/(?:messages|doctor-texts|sample-texts)\/en\.ts)/

/**
 * Matches everything that can be between two words of a phrase: spaces, line breaks, and the characters that start a
 * comment line.
 */
const GAP = String.raw`[\s*/]+`

const rules = PHRASES.map(([phrase, instead]) => ({
  pattern: new RegExp(String.raw`(?<![\w-])(?:${phrase.replaceAll(' ', GAP)})(?![\w-])`, 'giu'),
  instead,
}))

async function filesBelow(folder) {
  const entries = await readdir(inRoot(folder), { withFileTypes: true })
  const found = await Promise.all(
    entries.map((entry) => {
      const name = path.posix.join(folder, entry.name)
      if (!entry.isDirectory()) return entry.isFile() ? [name] : []
      return entry.name.startsWith('.') || SKIPPED_FOLDERS.has(entry.name) ? [] : filesBelow(name)
    }),
  )
  return found.flat()
}

/**
 * Returns the ranges of comments in a source. Adjacent line comments are one range, so that a phrase can span two
 * lines. A quote or backtick inside a regular expression looks like the start of a string. So that this hides few
 * comments, a string ends with its line, and a template literal ends before a line that starts with a comment.
 */
function commentsOf(source) {
  const token =
    /\/\/[^\n]*(?:\n\s*\/\/[^\n]*)*|\/\*[^]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[^]|(?!\n\s*\/[/*])[^`\\])*`/gu
  return [...source.matchAll(token)].filter(([text]) => text.startsWith('//') || text.startsWith('/*'))
}

function findingsIn(file, source) {
  const isWhole = file.endsWith('.md') || TEXTS.test(file)
  const parts = isWhole ? [{ 0: source, index: 0 }] : commentsOf(source)
  return parts.flatMap(({ 0: text, index }) =>
    rules.flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map((match) => {
        const line = source.slice(0, index + match.index).split('\n').length
        return {
          line,
          text: `${file}:${line}: “${match[0].replaceAll(/[\s*/]+/gu, ' ')}”; write: ${instead}`,
        }
      }),
    ),
  )
}

const named = process.argv.slice(2)
const files = named.length > 0 ? named : await filesBelow('')
const checked = files.filter(
  (file) => /\.(?:ts|tsx|mjs|md)$/u.test(file) && !file.endsWith('.zh-CN.md') && !SKIPPED_FILES.has(file),
)
const findings = await Promise.all(
  checked.map(async (file) => findingsIn(file, await readFile(inRoot(file), 'utf8'))),
)
for (const { text } of findings.flatMap((some) => some.toSorted((a, b) => a.line - b.line)))
  console.error(text)
if (findings.some((some) => some.length > 0)) process.exitCode = 1
