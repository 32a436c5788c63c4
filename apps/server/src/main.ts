import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

// What follows is compiled once and kept, types stripped: the next start is faster and carries no compiler.
enableCompileCache()

// So are the threads and processes that follow: a compiler in each of them takes 12 MB. Below the folder is one for each Node.js.
const folder = getCompileCacheDir()
// oxlint-disable-next-line no-restricted-properties -- it is written, and nobody reads it but Node.js
if (folder !== undefined) process.env.NODE_COMPILE_CACHE ??= dirname(folder)

await import('./serve.ts')
