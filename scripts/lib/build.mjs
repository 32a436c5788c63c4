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

/**
 * Bundles the server unless that of the present sources is there.
 * @param {string} node path of the Node.js that will run it.
 * @returns {Promise<string>} the folder with `main.js` and the others.
 * @throws {Error} when that fails, after what went wrong was printed.
 */
export async function ensureBundled(node) {
  const made = path.join(SERVER, 'server')
  if ((await checkFreshness(serverTarget)).isFresh) return made
  await withLock('bundle', async () => {
    const { isFresh, save } = await checkFreshness(serverTarget)
    if (isFresh) return
    const args = ['scripts/bundle-server.mjs', SERVER]
    const code = await run(node, args, { isQuiet: true, env: toolEnv() })
    if (code !== 0) throw new Error(`Bundling the server failed with code ${code}.`)
    await save()
  })
  return made
}

const webTarget = {
  recordPath: path.join(cacheDirectory, 'web-build.json'),
  inputs: ['apps/web', 'packages/contract/src', 'package-lock.json'],
  output: 'apps/web/dist/index.html',
}

/**
 * Builds the web app unless the built one is of the present sources.
 * @param {{ force?: boolean, isQuiet?: boolean }} [options] `force` builds in any case.
 * @returns {Promise<number>} exit code of the build, 0 when there was nothing to do.
 */
export async function ensureBuilt({ force = false, isQuiet = false } = {}) {
  if (!force && (await checkFreshness(webTarget)).isFresh) return 0
  return withLock(
    'build',
    async () => {
      const { isFresh, save } = await checkFreshness(webTarget)
      if (isFresh && !force) return 0
      console.log('Building the web app…')
      // Whoever calls may have another one: React would come along as it is for development.
      const code = await runNpm(['run', '-s', 'build'], { isQuiet, env: { NODE_ENV: 'production' } })
      if (code === 0) await save()
      return code
    },
    () => console.log('Another process is building the web app; waiting for it…'),
  )
}
