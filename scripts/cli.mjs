import { tmpdir } from 'node:os'
import path from 'node:path'
import { fail, runOurs } from './lib/child.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { findNode } from './lib/node.mjs'
import { inRoot } from './lib/paths.mjs'

/** Folder in which Node.js caches compiled code. */
const NODE_COMPILE_CACHE = path.join(tmpdir(), 'node-compile-cache')

/**
 * Runs the command line (`apps/cli`) of a checkout, from any folder, with the right Node.js. This script itself runs on
 * Node.js 20.
 */
try {
  await ensureInstalled()
  const args = [
    '--disable-warning=ExperimentalWarning',
    inRoot('apps/cli/src/main.ts'),
    ...process.argv.slice(2),
  ]
  runOurs(await findNode(), args, { env: { NODE_COMPILE_CACHE, ...process.env } })
} catch (error) {
  fail(error)
}
