import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Checks the layout of the repository. The linter already limits the length of TypeScript files and functions. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const FOLDER_MAX_FILES = 25
const STYLES_MAX_LINES = 400

const files = globSync('{apps,packages}/*/src/**/*.{ts,tsx,css}', { cwd: ROOT })
  .concat(globSync('{bench,e2e,scripts,packaging}/**/*.{ts,mjs}', { cwd: ROOT }))
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/node_modules|\.(?:test|spec)\.|\.gen\./.test(path))

const linesOf = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8').split('\n').length - 1

/** Returns the folders with too many files, not counting tests. */
const fullFolders = (paths: readonly string[]) =>
  [...Map.groupBy(paths, (path) => posix.dirname(path))]
    .filter(([, inside]) => inside.length > FOLDER_MAX_FILES)
    .map(([folder, inside]) => `${folder}: ${inside.length}`)

test('no folder holds more than 25 source files', () => {
  expect(files.length).toBeGreaterThan(1000)
  expect(fullFolders(files)).toEqual([])
  const many = Array.from({ length: 26 }, (_, index) => `apps/server/src/full/${index}.ts`)
  expect(fullFolders([...files, ...many])).toEqual(['apps/server/src/full: 26'])
})

test('no style sheet has more than 400 lines', () => {
  const sheets = files.filter((path) => path.endsWith('.css'))
  expect(sheets.length).toBeGreaterThan(50)
  expect(sheets.filter((path) => linesOf(path) > STYLES_MAX_LINES)).toEqual([])
})

test('the contract imports a schema library and itself: it runs in browsers and in Node.js', () => {
  const contract = files.filter((path) => path.startsWith('packages/contract/'))
  const imports = contract.flatMap((path) =>
    [...readFileSync(`${ROOT}/${path}`, 'utf8').matchAll(/\bfrom '([^']+)'/g)].map(([, to = '']) => to),
  )
  expect(imports.length).toBeGreaterThan(50)
  expect(new Set(imports.filter((to) => !to.startsWith('.')))).toEqual(new Set(['zod/mini']))
})
