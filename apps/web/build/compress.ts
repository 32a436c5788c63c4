import { readFile, readdir, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/**
 * Writes a `.br` and a `.gz` version of every file that compression makes smaller. The server then does not have to
 * compress.
 */

const DIST = join(import.meta.dirname, '../dist')
const COMPRESSIBLE = new Set([
  '.html',
  '.js',
  '.css',
  '.svg',
  '.json',
  '.webmanifest',
  '.txt',
  '.map',
  '.wasm',
])
const MIN_BYTES = 256
/**
 * Files above this size get a lower quality. Few pages need them, and the best quality would take half of the build
 * time.
 */
const BEST_UP_TO_BYTES = 500_000
const LARGE_QUALITY = 9

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

async function compress(path: string) {
  const bytes = await readFile(path)
  if (bytes.length < MIN_BYTES) return
  const [brotli, gzipped] = await Promise.all([
    toBrotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]:
          bytes.length > BEST_UP_TO_BYTES ? LARGE_QUALITY : constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
    toGzip(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ])
  if (brotli.length < bytes.length) await writeFile(`${path}.br`, brotli)
  if (gzipped.length < bytes.length) await writeFile(`${path}.gz`, gzipped)
}

const entries = await readdir(DIST, { recursive: true, withFileTypes: true })
const files = entries
  .filter((entry) => entry.isFile() && COMPRESSIBLE.has(extname(entry.name)))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => !path.includes('/.vite/'))
await Promise.all(files.map(compress))
console.log(`Compressed ${files.length} files.`)
