import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

// Caches the compiled modules without their types, so that the next start is faster and loads no compiler.
enableCompileCache()

// Child processes and threads use the cache too, because a compiler in each of them takes 12 MB. The folder has one
// subfolder per version of Node.js.
const folder = getCompileCacheDir()
// oxlint-disable-next-line no-restricted-properties -- written here, and read only by Node.js
if (folder !== undefined) process.env.NODE_COMPILE_CACHE ??= dirname(folder)

await import('./serve.ts')
