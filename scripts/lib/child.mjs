import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { pathToFileURL } from 'node:url'
import { inRoot } from './paths.mjs'

const END_WITH_PARENT = ['--import', pathToFileURL(inRoot('packaging', 'end-with-parent.mjs')).href]
const SIGNALS = ['SIGINT', 'SIGTERM']

/**
 * Runs a program of ours under the right Node.js, in this terminal. It gets the signals that we get, and we end as it does; it ends
 * when we are gone, be it by a kill.
 * @param onSignal hands a signal of `signals` on, where not every one goes to the program as it came.
 * @returns the process, which `exit` or `error` will be heard of.
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

/** Ends this process with a word on why. */
export function fail(error) {
  console.error(error.message)
  process.exitCode = 1
}
