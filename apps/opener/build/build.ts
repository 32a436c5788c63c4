import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/**
 * Builds the opener as one HTML file, `open.html` of the web app. The content security policy of the page allows
 * exactly its own script and style, and no network.
 */

const SOURCES = join(import.meta.dirname, '../src')
const DIST = join(import.meta.dirname, '../../web/dist')
const PACKAGES = join(import.meta.dirname, '../../../node_modules')
/** Packages whose code is in the page. Every copy of the page must contain their licences. */
const INCLUDED = ['@noble/hashes', 'hash-wasm', 'zod']
/** Maximum size of the page in bytes, uncompressed. */
const MAX_BYTES = 150_000

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

async function bundle(): Promise<string> {
  const build = await rolldown({
    input: join(SOURCES, 'main.ts'),
    platform: 'browser',
    tsconfig: false,
    // These packages have no side effects, so the bundler can drop the exports that the page does not use.
    treeshake: { moduleSideEffects: (id) => !/\/packages\/|\/node_modules\//.test(id) },
    transform: { target: 'es2022' },
  })
  try {
    const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false })
    const [chunk, other] = output
    if (other) throw new Error(`The opener must be one file, but has ${output.length}.`)
    return chunk.code.trim()
  } finally {
    await build.close()
  }
}

/** Removes white space between the tokens of a style sheet, where it has no meaning. */
const compact = (css: string): string =>
  css
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\s*([{};,])\s*/g, '$1')
    .trim()

async function licences(): Promise<string> {
  const texts = await Promise.all(
    INCLUDED.map(async (name) => `${name}\n\n${await readFile(join(PACKAGES, name, 'LICENSE'), 'utf8')}`),
  )
  const text = ['Dropleaf, Apache-2.0. Contains:', ...texts.map((one) => one.trim())].join('\n\n')
  if (text.includes('--')) throw new Error('A licence cannot be in a comment of HTML.')
  return text
}

const script = await bundle()
const style = compact(await readFile(join(SOURCES, 'style.css'), 'utf8'))
for (const text of ['</script', '<!--', '\r'])
  if (script.includes(text)) throw new Error(`The script cannot be inline, because it contains ${text}.`)
const policy = [
  "default-src 'none'",
  // WebAssembly is allowed, because it derives keys from passwords.
  `script-src ${hashOf(script)} 'wasm-unsafe-eval'`,
  `style-src ${hashOf(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')
const parts: Readonly<Record<string, string>> = {
  POLICY: policy,
  STYLE: style,
  SCRIPT: script,
  LICENCES: await licences(),
}
const template = await readFile(join(SOURCES, 'page.html'), 'utf8')
// Removes the template's white space around script and style, because the hashes in the policy cover every character
// between the tags.
const html = template.replaceAll(
  /POLICY|LICENCES|\s*(STYLE|SCRIPT)\s*/g,
  (name) => parts[name.trim()] ?? name,
)
const bytes = Buffer.byteLength(html)
await mkdir(DIST, { recursive: true })
await writeFile(join(DIST, 'open.html'), html)
console.log(`open.html: ${(bytes / 1000).toFixed(1)} kB (at most ${MAX_BYTES / 1000})`)
if (bytes > MAX_BYTES) throw new Error('open.html is too large.')
