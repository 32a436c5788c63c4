import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { inRoot, root } from './paths.mjs'

const isWindows = process.platform === 'win32'
const binDirectory = inRoot('node_modules', '.bin')

const pathKey = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'

/** Returns the environment of a tool. Our Node.js and the installed tools come first in its search path. */
export const toolEnv = (extra = {}) => ({
  ...process.env,
  ...extra,
  [pathKey]: [binDirectory, process.env[pathKey] ?? ''].join(path.delimiter),
})

/**
 * Returns the environment of npm itself. Its search path does not contain the folder that an installation replaces.
 */
function npmEnv() {
  const entries = (process.env[pathKey] ?? '').split(path.delimiter)
  const kept = entries.filter((entry) => path.resolve(entry) !== binDirectory)
  return { ...process.env, [pathKey]: kept.join(path.delimiter) }
}

/**
 * Runs a program in the repository's root, and waits for its end. Passes its output through. With `isQuiet`, prints
 * the output only after a failure.
 * @returns {Promise<number>} its exit code; 128 or more if a signal ended it
 */
export function run(command, args, { isQuiet = false, onOutput, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = isQuiet ? ['ignore', 'pipe', 'pipe'] : 'inherit'
    const child = spawn(command, args, { cwd: root, stdio, ...options })
    const output = []
    child.stdout?.on('data', onOutput ?? ((chunk) => output.push(chunk)))
    child.stderr?.on('data', (chunk) => output.push(chunk))
    const forward = (signal) => child.kill(signal)
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, forward)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (isQuiet && code !== 0) process.stderr.write(Buffer.concat(output))
      for (const name of ['SIGINT', 'SIGTERM']) process.off(name, forward)
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}

/** Runs npm. Uses the npm that started this script, if there is one. */
export function runNpm(args, options = {}) {
  const { npm_execpath: npmScript, npm_node_execpath: npmNode } = process.env
  const env = { ...npmEnv(), ...options.env }
  const isNpm = npmScript !== undefined && /npm-cli\.(c|m)?js$/.test(npmScript)
  if (isNpm) return run(npmNode ?? process.execPath, [npmScript, ...args], { ...options, env })
  return run(isWindows ? 'npm.cmd' : 'npm', args, { ...options, env, shell: isWindows })
}

/** Returns the output of an npm command. @throws {Error} if the command fails */
export async function npmOutput(args) {
  const parts = []
  const code = await runNpm(args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    onOutput: (chunk) => parts.push(chunk),
  })
  if (code !== 0) throw new Error(`npm ${args[0]} ended with code ${code}.`)
  return Buffer.concat(parts).toString('utf8')
}

/**
 * Runs an installed command-line tool with the given Node.js.
 * @param {string} node path of the executable.
 * @param {string} packageName package that contains the tool.
 * @param {string} tool name of the tool among the package's commands.
 */
export function runTool(node, packageName, tool, args, options = {}) {
  return run(node, [toolPath(packageName, tool), ...args], { ...options, env: toolEnv(options.env) })
}

/** Returns the path of the script that a command of an installed package runs. */
export function toolPath(packageName, tool) {
  const folder = ['node_modules', ...packageName.split('/')]
  const { bin } = JSON.parse(readFileSync(inRoot(...folder, 'package.json'), 'utf8'))
  return inRoot(...folder, typeof bin === 'string' ? bin : bin[tool])
}
