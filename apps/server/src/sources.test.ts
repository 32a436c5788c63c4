import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Checks the sources for code that the product must never contain. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const isTest = (path: string) => /\.test\.tsx?$|\/testing\/|\/conformance\//.test(path)

const sourcesOf = (pattern: string): ReadonlyArray<readonly [path: string, text: string]> =>
  globSync(pattern, { cwd: ROOT })
    .filter((path) => !path.includes('node_modules') && !isTest(path))
    .sort()
    .map((path) => [path, readFileSync(`${ROOT}/${path}`, 'utf8')])

const SERVER = sourcesOf('{apps/server,packages/storage,packages/contract}/src/**/*.ts')
const WEB = sourcesOf('apps/web/src/**/*.{ts,tsx}')

const matching = (sources: typeof SERVER, pattern: RegExp) =>
  sources.filter(([, text]) => pattern.test(text)).map(([path]) => path)

test('there are sources to check', () => {
  expect([SERVER.length > 200, WEB.length > 300]).toEqual([true, true])
})

test('no shell and no external program is started; pictures are processed by our own child process', () => {
  const imported = SERVER.flatMap(([path, text]) =>
    [...text.matchAll(/^.*child_process.*$/gm)].map(([line]) => [path, line]),
  )
  // `fork` does not use a shell.
  expect(imported).toEqual([
    ['apps/server/src/images/thumbnailer.ts', "import { type ChildProcess, fork } from 'node:child_process'"],
  ])
  expect(matching(SERVER, /\bshell:/)).toEqual([])
  expect(matching([...SERVER, ...WEB], /\beval\(|new Function\(/)).toEqual([])
  expect(matching(SERVER, /node:vm/)).toEqual([])
})

test('unguessable values never come from Math.random', () => {
  // `Math.random` is used for delays between attempts, and for the name by which a process recognises its own notices.
  expect(matching(SERVER, /Math\.random/)).toEqual([
    'apps/server/src/db/database.ts',
    'apps/server/src/db/notices.ts',
    'apps/server/src/features/capabilities/fs/leases/key-leases.usecases.ts',
  ])
})

test('the tracing library is imported only by modules that are loaded if tracing is enabled', () => {
  expect(matching(SERVER, /'@opentelemetry\//)).toEqual(['apps/server/src/tracing/open-tracing.ts'])
  expect(matching(SERVER, /from '[^']*open-tracing\.ts'/)).toEqual([])
})

test('nothing disables the verification of certificates', () => {
  expect(matching(SERVER, /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/)).toEqual([])
})

test('only the renderers convert text to markup, and they sanitize it first', () => {
  expect(
    matching(
      WEB,
      /dangerouslySetInnerHTML|\binnerHTML\b.*=|\bouterHTML\b.*=|insertAdjacentHTML|createContextualFragment|HTMLUnsafe\(|document\.write|srcDoc=/,
    ),
  ).toEqual([
    // These files insert content whose HTML is already escaped or sanitised.
    'apps/web/src/app/pages/bundle/early-bundle-page.ts',
    'apps/web/src/domains/markdown/export/drawn-document.ts',
    'apps/web/src/domains/markdown/prose/enhance/code-blocks.ts',
    'apps/web/src/domains/markdown/prose/enhance/formulas.ts',
    'apps/web/src/domains/markdown/prose/prose.tsx',
    'apps/web/src/domains/preview/safe-frame.tsx',
    'apps/web/src/domains/preview/text/text-piece.tsx',
    'apps/web/src/features/pastes/components/reading/early-article.ts',
    // These files write into an inert template to remove active content.
    'apps/web/src/lib/browser/trusted-types.ts',
    'apps/web/src/ui/layout/sandboxed-page.tsx',
  ])
})

test('no credential is put into a URL or a cookie', () => {
  expect(matching(SERVER, /set-cookie|setCookie|@fastify\/(?:cookie|session|jwt)/i)).toEqual([])
  expect(matching(WEB, /document\.cookie/)).toEqual([])
})

test('queries are built by the query builder: text of a request is a value, never SQL', () => {
  // These files use raw SQL for column types, sort directions, and a shared statement. This SQL comes only from
  // constants in the code.
  expect(matching(SERVER, /sql\.raw\(|\.executeQuery\(\s*['"`]/)).toEqual([
    'apps/server/src/db/rows.ts',
    'apps/server/src/features/foundation/object-index/folder-index.repository.ts',
    'apps/server/src/features/operations/data-backup/restore-data.usecases.ts',
    'apps/server/src/features/operations/secret-rotation/secret-rotation.repository.ts',
  ])
})
