import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { setFlagsFromString } from 'node:v8'

/**
 * Calls after which a function is compiled for speed, by the second and the third of V8's compilers. Its own numbers (400 and
 * 3,000) are for programs that run one thing for long: a small server reaches them after ten thousand requests of a kind, and is
 * half as fast until then. Functions that are not called so often cost nothing.
 */
setFlagsFromString('--invocation-count-for-maglev=100')
setFlagsFromString('--invocation-count-for-turbofan=300')
// A server that has had nothing to do for seconds would throw away what it has compiled, and begin anew with the next request.
setFlagsFromString('--no-memory-reducer-favors-memory')
// Nor is it to forget the code of what nobody has asked for while a large file came: six collections are enough for that.
setFlagsFromString('--no-flush-bytecode')
// Code that knows the shape of an object goes with the shape, when two collections in turn find none of them alive: none of a
// request's, in a pause. There are a few thousand shapes.
setFlagsFromString('--retain-maps-for-n-gc=1000000')

// What follows is compiled once and kept, types stripped: the next start is faster and carries no compiler.
enableCompileCache()

// So are the threads and processes that follow: a compiler in each of them takes 12 MB. Below the folder is one for each Node.js.
const folder = getCompileCacheDir()
// oxlint-disable-next-line no-restricted-properties -- it is written, and nobody reads it but Node.js
if (folder !== undefined) process.env.NODE_COMPILE_CACHE ??= dirname(folder)

await import('./serve.ts')
