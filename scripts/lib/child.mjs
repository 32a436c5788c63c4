import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { pathToFileURL } from 'node:url'
import { inRoot } from './paths.mjs'

const END_WITH_PARENT = ['--import', pathToFileURL(inRoot('packaging', 'end-with-parent.mjs')).href]
const SIGNALS = ['SIGINT', 'SIGTERM']

/**
 * Runs one of our programs with the right Node.js, in this terminal. Forwards signals to the program, and exits with
 * the program's exit code, or with 128 and the number of the signal that ended it. The program ends when this process
 * ends, even if this process is killed.
 * @param onSignal decides how to forward a signal of `signals`; by default, each signal is forwarded unchanged
 * @returns the process; the caller listens for `exit` and `error`.
 */
export function runOurs(
  node,
  args,
  { env = process.env, signals = SIGNALS, onSignal = (child, signal) => child.kill(signal), ...options } = {},
) {
  const child = spawn(node, [...END_WITH_PARENT, ...args], {
    ...options,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...env, DROPLEAF_WRAPPED: '1' },
  })
  for (const signal of signals) process.on(signal, () => onSignal(child, signal))
  child.once('error', fail)
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
  return child
}

/** Prints the message of an error, and makes this process exit with 1. */
export function fail(error) {
  console.error(error.message)
  process.exitCode = 1
}
