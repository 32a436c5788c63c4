import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { APP, DIST, findChunk, type Manifest } from './vite-manifest.ts'

/** Pages and other files with fixed names. All other file names contain a digest. */
export const NAMED_FILES = ['index.html', 'paste.html', 'bundle.html', 'theme.js', 'favicon.svg'] as const

/** Entries of the module graph: the pages, and the app that they load. */
const ENTRIES = ['index.html', 'paste.html', 'bundle.html', APP]

/**
 * Modules that are not precached, for example file viewers. They are rarely used, heavy, or useless without a network.
 * The service worker caches them on first use.
 */
const LEFT_OUT =
  /^(?:\.\.\/)+(?:node_modules|packages\/seal\/src\/keys)\/|^src\/(?:lib\/password-strength|domains\/(?:markdown\/(?:export\/word|diagrams\/|formulas)|preview\/|editor\/dialogs\/emoji)|features\/environment\/|app\/layouts\/environment-)/

/** The manifest of the build does not list workers. This pattern matches the worker that prepares long texts. */
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

/** Lists the files in `dist` that the service worker precaches: everything that a main screen needs. */
export async function listPrecached(manifest: Manifest): Promise<readonly string[]> {
  const files = new Set<string>(NAMED_FILES)
  const seen = new Set<string>()
  for (const entry of ENTRIES) addReachable(manifest, entry, files, seen)
  const assets = await readdir(join(DIST, 'assets'))
  for (const name of assets.filter((asset) => WORKERS.test(asset))) files.add(`assets/${name}`)
  return [...files].toSorted()
}
