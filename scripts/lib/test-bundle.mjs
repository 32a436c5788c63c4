import { cp, mkdir, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { bundleServer } from './bundle.mjs'
import { cacheDirectory, inRoot } from './paths.mjs'

/**
 * Bundles the server as its package has it, for tests that start processes of it: a start takes half as long as from a thousand
 * sources, a command a quarter. The pages beside it are those of the last build, and what it needs of others is in `node_modules`.
 * @returns {Promise<string>} the folder of its files, which tests are told of by `SERVER_BUNDLE`.
 */
export async function bundleForTests() {
  const folder = path.join(cacheDirectory, 'bundle')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const server = path.join(folder, 'server')
  await bundleServer(server)
  await cp(inRoot('package.json'), path.join(folder, 'package.json'))
  await symlink(inRoot('apps/web/dist'), path.join(folder, 'web'), 'junction')
  return server
}
