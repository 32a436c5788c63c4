import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { english } from '../../../apps/web/src/locales/en-US/language.ts'
import { CLOSING, OPENING, pseudoWords } from '../../../apps/web/src/testing/pseudo.ts'
import { loadWordsOf, type Words } from '../../../apps/web/src/testing/words.ts'
import { type Complaint, inspectionFor } from '../inspect-page.ts'
import type { ServerOptions } from '../server.ts'

const ENGLISH = path.resolve(import.meta.dirname, '../../../apps/web/src/locales/en-US')
const DIST = path.resolve(import.meta.dirname, '../../../apps/web/dist')

export const loadPseudoWords = async (): Promise<Words> => pseudoWords(await loadWordsOf(english))

interface Chunk {
  readonly file: string
  readonly name?: string
}

/**
 * Whether a chunk contains English texts. Chunks of other languages and of code can have the same name, so only the
 * content shows this.
 */
async function isEnglish({ file, name = '' }: Chunk): Promise<boolean> {
  const words = textsIn(await import(path.join(ENGLISH, `${name}.ts`))).filter((text) =>
    /^[\w ,.]+$/.test(text),
  )
  const [longest] = words.toSorted((one, other) => other.length - one.length)
  return longest !== undefined && (await readFile(path.join(DIST, file), 'utf8')).includes(longest)
}

const textsIn = (words: unknown): string[] =>
  typeof words === 'string'
    ? [words]
    : typeof words === 'object' && words !== null
      ? Object.values(words).flatMap(textsIn)
      : []

/** Reads the app's chunks with English texts, rewritten to the generated language. */
async function makeChunks(): Promise<ReadonlyMap<string, string>> {
  const manifest = JSON.parse(await readFile(path.join(DIST, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  const parts = new Set((await readdir(ENGLISH)).map((file) => path.basename(file, '.ts')))
  const found = Object.entries(manifest).map(async ([source, chunk]) => {
    const isShared = source.startsWith('_') && parts.has(chunk.name ?? '') && (await isEnglish(chunk))
    return isShared || source.startsWith('src/locales/en-US/') ? [chunk.file] : []
  })
  const files = (await Promise.all(found)).flat()
  const rewritten = files.map(async (file): Promise<[string, string]> => {
    const words = Object.entries((await import(path.join(DIST, file))) as Record<string, object>)
    const values = words.map(([, value], index) => `const v${index}=${JSON.stringify(pseudoWords(value))};`)
    const names = words.map(([name], index) => `v${index} as ${name}`)
    return [path.basename(file), `${values.join('')}export{${names.join()}}`]
  })
  return new Map(await Promise.all(rewritten))
}

export interface PseudoApp extends AsyncDisposable {
  /** Options for a server that uses the generated language and serves this app. */
  readonly server: Required<Pick<ServerOptions, 'main' | 'env'>>
}

/** Copies the built app to a new folder. Replaces English with the generated language. */
export async function makePseudoApp(): Promise<PseudoApp> {
  const chunks = await makeChunks()
  if (chunks.size < 5) throw new Error('The texts of the built app were not found.')
  const folder = await mkdtemp(path.join(tmpdir(), 'dropleaf-pseudo-'))
  const isOfWords = (file: string) => chunks.has(path.basename(file).replace(/\.(?:gz|br)$/, ''))
  await cp(DIST, folder, { recursive: true, filter: (file) => !isOfWords(file) })
  for (const [name, code] of chunks) await writeFile(path.join(folder, 'assets', name), code)
  return {
    server: { main: path.join(import.meta.dirname, 'pseudo-server.ts'), env: { WEB_ROOT: folder } },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Texts that are identical in every language, each with the reason. */
const SAME_EVERYWHERE: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/\bdropleaf-browser-test\.bin \(.*\)/, 'the file of a test of a storage'],
  [/(?<![\w-])[\w-]{10}-(?=zz|$)/, 'what the server puts before the names of shared files in a storage'],
  [/^-notes\.txt$/, 'the end of such a name, which is shown in two parts'],
  [/\bhttps?:\/\/[^\s⟧]*|\b127\.0\.0\.1(?::\d+)?/, 'addresses'],
  [/(?<![\w⟧])\/[\w./{}-]+/, 'paths'],
  [/\b[0-9a-f]{32,}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/, 'checksums and ids'],
  [/\bDropleaf\b|\bdropleaf\b|\bPostgreSQL\b|\bSQLite\b|\bNode\.js\b/, 'names of products'],
  [
    /\b(?:AWS S3|Cloudflare R2|Backblaze B2|Aliyun OSS|S3|R2|B2|OSS|WebDAV)\b/,
    'names of providers and protocols',
  ],
  [/\b(?:Ctrl|Shift|Alt|Cmd|Esc|Enter|Tab|Del|Delete|Home|End|F\d+)\b(?=[+ ]|$)/, 'names of keys'],
  [/\d[\d.,]*\s?(?:B|KB|MB|GB|TB|ms|px|KiB|MiB)\b/, 'figures with units'],
  [
    /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}\b|\b(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)(?:day|sday|nesday|rsday|urday)?\b/,
    'dates, which Intl writes',
  ],
  [
    /\b(?:in )?[\d,.]+ (?:second|minute|hour|day|week|month|year)s?(?: ago)?\b|\bjust now\b|\bnow\b/,
    'spans of time, which Intl writes',
  ],
  [/中文|\bEnglish\b/, 'names of languages, each in its own'],
  [
    /\b(?:JavaScript|TypeScript|JSON|HTML|CSS|Python|Java|Go|Rust|PHP|Ruby|Shell|SQL|YAML|Diff|mermaid)\b/i,
    'names of languages of code',
  ],
  [/\(\/?[\w-]{6}\)$/, 'link suffixes that the server has made up'],
  [/\bv?\d+\.\d+\.\d+[\w.-]*/, 'numbers of versions'],
  [/^state, step$/, 'what the log of actions says was changed, by its names on the wire'],
  [/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/, 'names of settings of the server'],
  [/\b(?:text|image|audio|video|application|font)\/[\w.+-]+/, 'types of files'],
  [/^Aa$/, 'the sign for capital and small letters'],
  [
    /\bBasicAuthLevel\b|\bFileSizeLimitInBytes\b|\bHKLM\S*|\bHKEY\S*|\bHTTPS?\b|\bFTP\b/,
    'what systems call their settings and protocols',
  ],
]

interface View {
  readonly name: string
  /** Names and texts that are data, and therefore not translated. */
  readonly data: readonly string[]
}

/**
 * Lists the faults of the current page: sideways scrolling, and texts that are not in the generated language, cut off
 * or beyond the screen.
 */
export async function listComplaints(page: Page, { name, data }: View): Promise<readonly string[]> {
  const inspection = inspectionFor({
    data,
    patterns: SAME_EVERYWHERE.map(([{ source, flags }]) => [source, flags] as const),
    opening: OPENING,
    closing: CLOSING,
  })
  const complaints = await page.evaluate<readonly Complaint[]>(inspection)
  return complaints.map(({ fault, text, place }) => `${fault}: “${text}” in ${place} (${name})`)
}
