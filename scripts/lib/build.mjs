import path from 'node:path'
import { checkFreshness } from './fingerprint.mjs'
import { withLock } from './lock.mjs'
import { cacheDirectory } from './paths.mjs'
import { run, runNpm, toolEnv } from './run.mjs'

const SERVER = path.join(cacheDirectory, 'server')

const serverTarget = {
  recordPath: path.join(cacheDirectory, 'server-bundle.json'),
  inputs: [
    'apps/server/src',
    'apps/cli/src',
    'packages',
    'package.json',
    'package-lock.json',
    'node_modules/node/package.json',
    'scripts/bundle-server.mjs',
    'scripts/lib/bundle.mjs',
  ],
  output: '.cache/server/server/main.js',
}

const webTarget = {
  recordPath: path.join(cacheDirectory, 'web-build.json'),
  inputs: ['apps/web', 'apps/opener', 'packages/contract/src', 'packages/seal/src', 'package-lock.json'],
  output: 'apps/web/dist/index.html',
}

/**
 * Builds a target unless it is up to date with the sources. Only one process builds at a time.
 * @returns {Promise<number>} exit code of `make`; 0 if the target is up to date
 */
async function makeOnce(target, { lock, force = false, make, onWait }) {
  if (!force && (await checkFreshness(target)).isFresh) return 0
  return withLock(
    lock,
    async () => {
      const { isFresh, save } = await checkFreshness(target)
      if (isFresh && !force) return 0
      const code = await make()
      if (code === 0) await save()
      return code
    },
    onWait,
  )
}

/**
 * Bundles the server unless the bundle is up to date.
 * @param {string} node path of the Node.js that runs the bundle
 * @returns {Promise<string>} the folder with `main.js` and the other entry points
 * @throws {Error} if bundling fails; the reason is printed first
 */
export async function ensureBundled(node) {
  const make = () => run(node, ['scripts/bundle-server.mjs', SERVER], { isQuiet: true, env: toolEnv() })
  const code = await makeOnce(serverTarget, { lock: 'bundle', make })
  if (code !== 0) throw new Error(`Bundling the server failed with code ${code}.`)
  return path.join(SERVER, 'server')
}

/**
 * Builds the web app unless the build is up to date.
 * @param {{ force?: boolean, isQuiet?: boolean }} [options] `force` also builds if the build is up to date.
 * @returns {Promise<number>} exit code of the build; 0 if it is up to date
 */
export function ensureBuilt({ force = false, isQuiet = false } = {}) {
  return makeOnce(webTarget, {
    lock: 'build',
    force,
    make() {
      console.log('Building the web app, which takes up to a minute…')
      // Sets NODE_ENV, because with another value from the caller the build could include the development version of
      // React.
      return runNpm(['run', '-s', 'build'], { isQuiet, env: { NODE_ENV: 'production' } })
    },
    onWait: () => console.log('Another process is building the web app; waiting for it…'),
  })
}
