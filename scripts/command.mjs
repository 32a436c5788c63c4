import { tmpdir } from 'node:os'
import path from 'node:path'
import { fail, runOurs } from './lib/child.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { findNode } from './lib/node.mjs'
import { root } from './lib/paths.mjs'

/** Folder in which Node.js caches compiled code of the server. */
const NODE_COMPILE_CACHE = path.join(tmpdir(), 'node-compile-cache')

/**
 * Runs a command of the server (`apps/server/src/commands`) with the right Node.js. This script itself runs on Node.js
 * 20.
 */

const [name = '', ...args] = process.argv.slice(2)

try {
  await ensureInstalled()
  const node = await findNode()
  const file = `apps/server/src/commands/${name}.ts`
  runOurs(node, ['--disable-warning=ExperimentalWarning', file, ...args], {
    cwd: root,
    // `INIT_CWD` makes folders on the command line relative to the folder in which the user called npm.
    env: { NODE_COMPILE_CACHE, ...process.env, INIT_CWD: process.env.INIT_CWD ?? process.cwd() },
  })
} catch (error) {
  fail(error)
}
