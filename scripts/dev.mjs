import { spawn } from 'node:child_process'
import { ensureInstalled } from './lib/install.mjs'
import { findNode } from './lib/node.mjs'
import { inRoot, root } from './lib/paths.mjs'
import { toolEnv, toolPath } from './lib/run.mjs'

/** Runs the server, which restarts on every change, and the web app's development server. */

const DEV_PASSWORD = 'dropleaf-dev'

await ensureInstalled()
const node = await findNode()
const env = toolEnv({
  HOST: process.env.HOST ?? '127.0.0.1',
  DATA_DIR: process.env.DATA_DIR ?? inRoot('.cache', 'dev-data'),
  ADMIN_PASSWORD: process.env.ADMIN_PASSWORD ?? DEV_PASSWORD,
})
console.log(`Development data: ${env.DATA_DIR}. Log in as admin with the password ${env.ADMIN_PASSWORD}.`)

const children = [
  spawn(node, ['--watch', '--disable-warning=ExperimentalWarning', 'apps/server/src/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    env,
  }),
  spawn(node, [toolPath('vite', 'vite')], {
    cwd: inRoot('apps', 'web'),
    stdio: 'inherit',
    env,
  }),
]

let isStopping = false
function stop(code) {
  if (isStopping) return
  isStopping = true
  process.exitCode = code
  for (const child of children) child.kill('SIGTERM')
}
for (const child of children) child.once('exit', (code) => stop(code ?? 0))
process.on('SIGINT', () => stop(0))
process.on('SIGTERM', () => stop(0))
