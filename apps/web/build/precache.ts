import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { APP, DIST, findChunk, type Manifest } from './vite-manifest.ts'

/** Pages, and files with fixed names; everything else has its digest in its name. */
export const NAMED_FILES = ['index.html', 'paste.html', 'theme.js', 'favicon.svg'] as const

/** First stages of both pages, and the app that both start. */
const ENTRIES = ['index.html', 'paste.html', APP]

/**
 * What a screen fetches only when somebody asks for something rare or heavy, or what has no use without a network: viewers of
 * files, whose bytes are not there. It is kept from its first use on.
 */
const LEFT_OUT =
  /^(?:\.\.\/)+node_modules\/|^src\/(?:lib\/password-strength|domains\/(?:markdown\/(?:export\/word|diagrams\/|formulas)|preview\/|editor\/dialogs\/emoji)|features\/environment\/|app\/layouts\/environment-)/

/** Workers are not in the manifest of the bundle. This one prepares long texts. */
const WORKERS = /^long\.worker-.*\.js$/

function addReachable(manifest: Manifest, key: string, files: Set<string>, seen: Set<string>): void {
  if (seen.has(key)) return
  seen.add(key)
  const chunk = findChunk(manifest, key)
  if (!chunk) throw new Error(`${key} is not in the manifest; name the module that the page loads now.`)
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
  const wanted = (chunk.dynamicImports ?? []).filter((imported) => !LEFT_OUT.test(imported))
  for (const imported of [...(chunk.imports ?? []), ...wanted]) addReachable(manifest, imported, files, seen)
}

/** Files of `dist` that the service worker fetches at once: what every main screen needs. */
export async function listPrecached(manifest: Manifest): Promise<readonly string[]> {
  const files = new Set<string>(NAMED_FILES)
  const seen = new Set<string>()
  for (const entry of ENTRIES) addReachable(manifest, entry, files, seen)
  const assets = await readdir(join(DIST, 'assets'))
  for (const name of assets.filter((asset) => WORKERS.test(asset))) files.add(`assets/${name}`)
  return [...files].toSorted()
}
