import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Makes all servers that are started later run from a bundle, as `npm start` does. */
export async function bundleServer(): Promise<void> {
  if (process.env.SERVER_BUNDLE !== undefined) return
  const folder = inRoot('.cache/bench')
  await promisify(execFile)(process.execPath, [inRoot('scripts/bundle-server.mjs'), folder])
  process.env.SERVER_BUNDLE = `${folder}/server`
}
