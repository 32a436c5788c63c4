#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import * as module from 'node:module'
import { constants, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { stopWithoutParent } from './stop-without-parent.mjs'

/**
 * Runs the product. `dropleaf` starts the server. `dropleaf backup …` and similar calls run a command of the server.
 * All other calls run a command of the command line, which works with a remote server. This script itself runs on
 * Node.js 20.
 */

const REQUIRED_MAJOR = 24
const NODE_FLAGS = JSON.parse(readFileSync(new URL('node-flags.json', import.meta.url), 'utf8'))
const END_WITH_PARENT = ['--import', new URL('end-with-parent.mjs', import.meta.url).href]
const SERVING = ['serve', 'start']
const HELP = new Set(['--help', '-h'])
const COMMANDS = ['backup', 'restore', 'rotate-secret', 'reset-password', 'import-cloudpaste']

const inPackage = (...segments) => path.join(path.dirname(fileURLToPath(import.meta.url)), '..', ...segments)
const majorOf = (version) => Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0)

/** Returns the Node.js of the package, for machines with an older Node.js. */
function bundledNode() {
  try {
    const manifest = module.createRequire(import.meta.url).resolve('node/package.json')
    const { bin, version } = JSON.parse(readFileSync(manifest, 'utf8'))
    const file = path.join(path.dirname(manifest), typeof bin === 'string' ? bin : bin.node)
    return majorOf(version) >= REQUIRED_MAJOR ? file : null
  } catch {
    return null
  }
}

function findNode() {
  if (majorOf(process.version) >= REQUIRED_MAJOR) return process.execPath
  const bundled = bundledNode()
  if (bundled !== null) return bundled
  throw new Error(`Dropleaf runs on Node.js ${REQUIRED_MAJOR} or newer; this is ${process.version}.`)
}

function run(file, args) {
  // eslint-disable-next-line no-restricted-properties -- passed on unchanged
  const { env } = process
  const child = spawn(findNode(), [...NODE_FLAGS, ...END_WITH_PARENT, inPackage('server', file), ...args], {
    // When this process exits, the IPC channel closes, even after a kill. The child then ends too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache'),
      ...env,
      DROPLEAF_WRAPPED: '1',
      // Folder names are relative to the folder in which the user called this command, even if npm sets another
      // folder.
      INIT_CWD: process.cwd(),
    },
  })
  // In a terminal, Ctrl+C reaches the server directly. Forwarding it would count as a second Ctrl+C.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'))
  if (env.npm_command === 'exec') stopWithoutParent(child)
  child.once('error', fail)
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}

const say = (line) => process.stdout.write(`${line}\n`)

function fail(error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

/** Runs a command in this process if possible, because a second start takes time. */
async function runHere(args) {
  if (majorOf(process.version) < REQUIRED_MAJOR) {
    run('cli.js', args)
    return
  }
  // Node.js 20 lacks this function, but does not reach this line.
  module.enableCompileCache()
  await import(pathToFileURL(inPackage('server', 'cli.js')))
}

const [command = 'serve', ...args] = process.argv.slice(2)
try {
  if (args.some((arg) => HELP.has(arg))) await runHere(['help'])
  else if (SERVING.includes(command)) run('main.js', args)
  else if (COMMANDS.includes(command)) run(`${command}.js`, args)
  else if (command === '--version' || command === '-v')
    say(JSON.parse(readFileSync(inPackage('package.json'), 'utf8')).version)
  else await runHere([command, ...args])
} catch (error) {
  fail(error)
}
