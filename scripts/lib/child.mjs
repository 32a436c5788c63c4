import { spawn } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { inRoot } from './paths.mjs'

const END_WITH_PARENT = ['--import', pathToFileURL(inRoot('packaging', 'end-with-parent.mjs')).href]

/** Starts a program of ours under the right Node.js, in this terminal; it ends when we are gone, be it by a kill. */
export const spawnOurs = (node, args, { env, ...options }) =>
  spawn(node, [...END_WITH_PARENT, ...args], {
    ...options,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...env, DROPLEAF_WRAPPED: '1' },
  })
