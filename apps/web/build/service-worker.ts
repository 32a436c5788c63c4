import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { listPrecached, NAMED_FILES } from './precache.ts'
import { DIST, readManifest } from './vite-manifest.ts'

/**
 * Bundles the service worker as `dist/sw.js`, with the list of files to precache. Runs after the build, because the
 * list needs the module graph in the build's manifest.
 */

const isNamed = (file: string): boolean => NAMED_FILES.some((named) => named === file)

const digest = (text: string | Buffer) => createHash('sha256').update(text).digest('hex').slice(0, 20)

const files = await listPrecached(await readManifest())
const entries = await Promise.all(
  files.map(async (url) => ({
    url,
    revision: isNamed(url) ? digest(await readFile(join(DIST, url))) : null,
  })),
)
const root = join(import.meta.dirname, '..')
await build({
  configFile: false,
  root,
  logLevel: 'warn',
  define: {
    __PRECACHE__: JSON.stringify(entries),
    __WORKER_VERSION__: JSON.stringify(digest(JSON.stringify(entries))),
  },
  build: {
    target: 'es2022',
    outDir: DIST,
    emptyOutDir: false,
    copyPublicDir: false,
    modulePreload: false,
    rolldownOptions: {
      input: join(root, 'src/service-worker/service-worker.ts'),
      output: { format: 'iife', entryFileNames: 'sw.js' },
    },
  },
})
