import { readFileSync } from 'node:fs'
import path from 'node:path'
import { stopWithoutParent } from '../packaging/stop-without-parent.mjs'
import { ensureBuilt, ensureBundled } from './lib/build.mjs'
import { fail, runOurs } from './lib/child.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { findNode } from './lib/node.mjs'
import { root } from './lib/paths.mjs'

/**
 * Starts the product from any state of the working copy. Installs and builds what is missing or stale, then runs the
 * server with the right Node.js. This script has no dependencies and runs on Node.js 20.
 */
async function start() {
  await ensureInstalled()
  const node = await findNode()
  const buildCode = await ensureBuilt({ isQuiet: true })
  if (buildCode !== 0) throw new Error(`Building the web app failed with code ${buildCode}.`)

  const main = path.join(await ensureBundled(node), 'main.js')
  const flags = JSON.parse(readFileSync(path.join(root, 'packaging', 'node-flags.json'), 'utf8'))
  const args = [...flags, main, ...process.argv.slice(2)]
  const server = runOurs(node, args, {
    cwd: root,
    signals: ['SIGINT', 'SIGTERM', 'SIGHUP'],
    onSignal: createHandingOn(),
  })
  if (process.env.npm_lifecycle_event === 'start') stopWithoutParent(server)
}

/**
 * Returns a function that forwards a signal. Forwards SIGINT at most once, and never in a terminal: there, Ctrl+C also
 * reaches the server directly, and the server would count a forwarded SIGINT as a second Ctrl+C. Any other signal
 * becomes SIGTERM.
 */
function createHandingOn() {
  let hasForwardedInterrupt = process.stdin.isTTY
  return (server, signal) => {
    if (signal !== 'SIGINT') server.kill('SIGTERM')
    else if (!hasForwardedInterrupt) server.kill('SIGINT')
    if (signal === 'SIGINT') hasForwardedInterrupt = true
  }
}

await start().catch(fail)
