#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Runs the product: `dropleaf` serves, `dropleaf backup …` and the like are commands of the console. Runs itself on Node.js 20. */

const REQUIRED_MAJOR = 24
/** As `npm start` in a checkout has them. */
const SERVER_FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8']
const COMMANDS = ['backup', 'restore', 'rotate-secret', 'import-cloudpaste']

const USAGE = `Usage: dropleaf [start]                        serve, on PORT (8787), with all data in DATA_DIR (./data)
       dropleaf backup [FOLDER]                save all data of a server
       dropleaf restore FOLDER [--force] [--same-server]
       dropleaf rotate-secret                  seal all secrets anew
       dropleaf import-cloudpaste FILE [--dry-run]
       dropleaf --version

What is configured, is configured by the environment: see docs/configuration.md of the project.`

const inPackage = (...segments) => path.join(path.dirname(fileURLToPath(import.meta.url)), '..', ...segments)
const majorOf = (version) => Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0)

/** The Node.js that came with the package, for machines that have an older one. */
function bundledNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json')
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

function run(file, flags, args) {
  const child = spawn(findNode(), [...flags, inPackage('server', file), ...args], {
    stdio: 'inherit',
    env: {
      NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache'),
      // eslint-disable-next-line no-restricted-properties -- handed on as it is
      ...process.env,
      // Names of folders are those of where we were called, whatever npm says of where it was.
      INIT_CWD: process.cwd(),
    },
  })
  // Ctrl+C reaches the server by itself in a terminal; a second copy would look like impatience.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'))
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

const [command = 'start', ...args] = process.argv.slice(2)
try {
  if (command === 'start') run('main.js', SERVER_FLAGS, args)
  else if (COMMANDS.includes(command)) run(`${command}.js`, SERVER_FLAGS.slice(0, 1), args)
  else if (command === '--version' || command === '-v')
    say(JSON.parse(readFileSync(inPackage('package.json'), 'utf8')).version)
  else {
    const isHelp = command === '--help' || command === '-h' || command === 'help'
    if (isHelp) say(USAGE)
    else fail(new Error(`There is no command ${command}.\n\n${USAGE}`))
  }
} catch (error) {
  fail(error)
}
