import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/**
 * Checks the paths of files in the documentation: text in backticks with a slash and a file extension. Such a path is
 * a whole path, or the end of a path: `db/sqlite.ts` is `apps/server/src/db/sqlite.ts`. Each path names exactly one
 * file; with `*`, at least one file. Decision records describe the code of their date, and are not checked.
 */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Files that are not in the repository. */
const ELSEWHERE = [
  // Files of users and of other programs.
  /^~\//,
  // Results of commands.
  /^dist\//,
  // The example of a new language.
  /(?:^|[/-])fr(?:-FR)?\.(?:ts|png)$/,
]

const isOfRepository = (path: string) =>
  !/(?:^|\/)(?:node_modules|dist|dist-types|data|test-results)\//.test(path)

const glob = (pattern: string) =>
  globSync(pattern, { cwd: ROOT, exclude: (path) => /(?:^|[/\\])(?:node_modules|dist)$/.test(path) })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(isOfRepository)

const files = glob('{apps,bench,docs,e2e,packages,packaging,scripts}/**/*.*')
const pages = glob('docs/**/*.md').filter((path) => !path.startsWith('docs/adr/'))

const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\s]+\/[^`\s/]*\.(?:\w+|\*))`/g)].map(([, path = '']) => path)

const filesAt = (path: string): string[] =>
  files.filter((file) =>
    path.includes('*')
      ? matchesGlob(file, path) || matchesGlob(file, `**/${path}`)
      : file === path || file.endsWith(`/${path}`),
  )

const namesOneFile = (path: string): boolean => {
  const found = filesAt(path)
  return path.includes('*') ? found.length > 0 : found.length === 1
}

test('every path of a file in the documentation names a file', () => {
  const named = pages.flatMap((page) =>
    pathsIn(readFileSync(`${ROOT}/${page}`, 'utf8')).map((path) => ({ page, path })),
  )
  expect(named.length).toBeGreaterThan(100)
  const wrong = named.filter(({ path }) => !ELSEWHERE.some((rule) => rule.test(path)) && !namesOneFile(path))
  expect(wrong.map(({ page, path }) => `${page}: ${path}`)).toEqual([])
})

test('a path that matches no file, or several, is reported', () => {
  const text =
    'See `fs/gone.usecases.ts`, `src/index.ts`, `fs/gone.*` and `db/sqlite.ts`, not `write` or `/dav`.'
  expect(pathsIn(text).filter((path) => !namesOneFile(path))).toEqual([
    'fs/gone.usecases.ts',
    'src/index.ts',
    'fs/gone.*',
  ])
})
