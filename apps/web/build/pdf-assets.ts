import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const ROOT = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
/** Data files that a document can need: character maps, standard fonts, an image decoder. */
const FOLDERS = ['cmaps', 'standard_fonts', 'wasm'] as const
const WANTED = /\.(?:bcmap|pfb|ttf|js)$/

async function listAssets(): Promise<string[]> {
  const lists = await Promise.all(
    FOLDERS.map(async (folder) => (await readdir(join(ROOT, folder))).map((name) => `${folder}/${name}`)),
  )
  return lists.flat().filter((name) => WANTED.test(name))
}

/**
 * Serves the data files of PDF.js below `assets/pdf`, so that no document makes the browser contact another host.
 * `base` contains the version of PDF.js, because browsers cache the files without a time limit.
 */
export function pdfAssets(base: string): Plugin {
  return {
    name: 'dropleaf:pdf-assets',
    configureServer({ middlewares }) {
      middlewares.use(`/${base}/`, (request, response, next) => {
        const name = (request.url ?? '').slice(1)
        if (!WANTED.test(name) || name.includes('..')) return next()
        readFile(join(ROOT, name)).then((bytes) => response.end(bytes), next)
      })
    },
    async generateBundle() {
      for (const name of await listAssets())
        this.emitFile({
          type: 'asset',
          fileName: `${base}/${name}`,
          source: await readFile(join(ROOT, name)),
        })
    },
  }
}
