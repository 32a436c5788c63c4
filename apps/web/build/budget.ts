import { LANGUAGES } from '../src/locales/languages.ts'
import { listPrecached } from './precache.ts'
import { APP, type Encoding, findChunk, type Manifest, readManifest, sentBytes } from './vite-manifest.ts'

/**
 * Prints the download size of a first visit, and fails if a budget is exceeded. Budgets apply to the gzip size, because
 * browsers accept Brotli only over HTTPS. 1 kB is 1000 bytes.
 */

interface Page {
  readonly name: string
  /** Files in `dist` that the HTML page requests directly. */
  readonly files: readonly string[]
  /**
   * Modules to count with their static imports. Each module is an entry, or is dynamically imported by an earlier
   * module.
   */
  readonly modules: readonly string[]
  readonly maxKb: number | null
}

/** Limit for the files that the service worker fetches in the background on a first visit. */
const PRECACHE_MAX_KB = 1500
const WORKER_MAX_KB = 80

const LOCALES = LANGUAGES.map(({ code }) => `src/locales/${code}/index.ts`)
const HOME = ['index.html', APP, 'src/features/pastes/pages/home.page.tsx']
const EDITOR = 'src/domains/editor/code-mirror/code-mirror.ts'
const BUNDLE_TEXT = ['bundle.html', 'src/domains/markdown/render/render.ts']
const EARLY_SEALED = 'src/features/bundle-reading/sealed/early-sealed.ts'
const PASTE_TEXT = ['paste.html', 'src/domains/markdown/render/render.ts']

const pages: readonly Page[] = [
  { name: 'paste: text readable', files: ['paste.html', 'theme.js'], modules: PASTE_TEXT, maxKb: 150 },
  {
    name: 'paste: complete page',
    files: ['paste.html', 'theme.js'],
    modules: [...PASTE_TEXT, APP, 'src/features/pastes/pages/paste.page.tsx'],
    maxKb: null,
  },
  { name: 'bundle: text readable', files: ['bundle.html', 'theme.js'], modules: BUNDLE_TEXT, maxKb: 125 },
  {
    name: 'encrypted: text readable',
    files: ['bundle.html', 'theme.js'],
    modules: [...BUNDLE_TEXT, EARLY_SEALED, 'src/locales/zh-CN/sealed-reading.ts'],
    maxKb: 144,
  },
  {
    name: 'bundle: complete page',
    files: ['bundle.html', 'theme.js'],
    modules: [...BUNDLE_TEXT, APP, 'src/app/pages/bundle/bundle.page.tsx'],
    maxKb: null,
  },
  // The user can type in a plain text field before the editor has loaded, so this budget does not include the editor.
  { name: 'home: one can type', files: ['index.html', 'theme.js'], modules: HOME, maxKb: 250 },
  {
    name: 'home: with the editor',
    files: ['index.html', 'theme.js'],
    modules: [...HOME, EDITOR],
    maxKb: 325,
  },
  {
    name: 'home: with live preview',
    files: ['index.html', 'theme.js'],
    modules: [...HOME, EDITOR, 'src/domains/markdown/render/render.ts'],
    maxKb: null,
  },
]

/** Adds the files of a module, of its static imports, and of their styles. */
function addClosure(manifest: Manifest, key: string, files: Set<string>): void {
  const chunk = findChunk(manifest, key)
  if (!chunk) throw new Error(`${key} is not in the manifest; name the module that the page loads now.`)
  if (files.has(chunk.file)) return
  files.add(chunk.file)
  for (const css of chunk.css ?? []) files.add(css)
  for (const imported of chunk.imports ?? []) addClosure(manifest, imported, files)
}

async function largestLocale(manifest: Manifest): Promise<string> {
  const sizes = await Promise.all(
    LOCALES.map(async (key) => ({ key, bytes: await sentBytes(findChunk(manifest, key)?.file ?? '', 'gz') })),
  )
  return sizes.reduce((largest, locale) => (locale.bytes > largest.bytes ? locale : largest)).key
}

async function measureKb(files: ReadonlySet<string>, encoding: Encoding): Promise<number> {
  const sizes = await Promise.all([...files].map((file) => sentBytes(file, encoding)))
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

async function filesOf(manifest: Manifest, page: Page): Promise<ReadonlySet<string>> {
  const files = new Set(page.files)
  for (const key of [...page.modules, await largestLocale(manifest)]) addClosure(manifest, key, files)
  return files
}

/** Prints the transfer size of the files, and returns whether it is within the limit. */
async function judge(name: string, files: ReadonlySet<string>, maxKb: number | null): Promise<boolean> {
  const [gzipKb, brotliKb] = await Promise.all([measureKb(files, 'gz'), measureKb(files, 'br')])
  const isTooLarge = maxKb !== null && gzipKb > maxKb
  const limit = maxKb === null ? '' : `  (at most ${maxKb})${isTooLarge ? '  TOO LARGE' : ''}`
  const figures = `${gzipKb.toFixed(1).padStart(7)} kB gzip, ${brotliKb.toFixed(1).padStart(6)} kB brotli`
  console.log(`${name.padEnd(28)}${figures}${limit}`)
  return !isTooLarge
}

const manifest = await readManifest()
const precached = new Set(await listPrecached(manifest))
const results: boolean[] = []
for (const page of pages) results.push(await judge(page.name, await filesOf(manifest, page), page.maxKb))
results.push(
  await judge('service worker', new Set(['sw.js']), WORKER_MAX_KB),
  await judge(`precache: ${precached.size} files`, precached, PRECACHE_MAX_KB),
)
if (results.includes(false)) process.exitCode = 1
