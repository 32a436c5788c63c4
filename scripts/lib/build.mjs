import path from 'node:path'
import { checkFreshness } from './fingerprint.mjs'
import { withLock } from './lock.mjs'
import { cacheDirectory } from './paths.mjs'
import { runNpm } from './run.mjs'

const target = {
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
  if (!force && (await checkFreshness(target)).isFresh) return 0
  return withLock(
    'build',
    async () => {
      const { isFresh, save } = await checkFreshness(target)
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
