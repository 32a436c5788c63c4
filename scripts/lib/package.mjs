import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ensureBuilt } from './build.mjs'
import { bundleServer, versionsOf } from './bundle.mjs'
import { inRoot } from './paths.mjs'

const DOCUMENTS = ['LICENSE', 'README.md', 'README.zh-CN.md', 'CHANGELOG.md', 'SECURITY.md']

/**
 * Builds the product into a folder for publishing: JavaScript files, pages, and a list of the packages that it needs.
 */
export async function buildPackage(folder) {
  const code = await ensureBuilt({ isQuiet: true })
  if (code !== 0) throw new Error(`Building the web app failed with code ${code}.`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const needed = await bundleServer(path.join(folder, 'server'))
  await cp(inRoot('apps/web/dist'), path.join(folder, 'web'), { recursive: true })
  for (const name of ['dropleaf.mjs', 'end-with-parent.mjs', 'node-flags.json', 'stop-without-parent.mjs'])
    await cp(inRoot('packaging', name), path.join(folder, 'bin', name))
  for (const name of DOCUMENTS) await cp(inRoot(name), path.join(folder, name))
  const root = JSON.parse(await readFile(inRoot('package.json'), 'utf8'))
  const { name, version, description, license } = root
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { dropleaf: 'bin/dropleaf.mjs' },
    dependencies: { ...(await versionsOf(needed)), node: root.devDependencies.node },
    engines: root.engines,
    files: ['bin', 'server', 'web', ...DOCUMENTS],
  }
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
