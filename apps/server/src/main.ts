import { enableCompileCache } from 'node:module'

// What follows is compiled once and kept, types stripped: the next start is faster and carries no compiler.
enableCompileCache()

await import('./serve.ts')
