import { access, chmod, cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { locate } from './licences.mjs'
import { buildPackage } from './package.mjs'
import { inRoot } from './paths.mjs'

/** Files that a running server never reads. */
const LEFT_OUT = /(?:\.d\.[cm]?ts|\.map|\.tsbuildinfo)$|\/dist-types$/

const isThere = (file) =>
  access(file).then(
    () => true,
    () => false,
  )

/**
 * Returns the paths of packages and their dependencies in `node_modules`, for this machine. Reads them from the
 * lockfile.
 */
async function placesOf(names) {
  const { packages } = JSON.parse(await readFile(inRoot('package-lock.json'), 'utf8'))
  const places = new Set()
  const visit = async (from, name, isOptional) => {
    const place = locate(packages, from, name)
    const isInstalled = place !== null && (await isThere(inRoot(place)))
    if (!isInstalled && isOptional) return
    if (!isInstalled) throw new Error(`${name}, which ${from || 'the server'} needs, is not installed.`)
    if (places.has(place)) return
    places.add(place)
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[place]
    for (const needed of Object.keys(dependencies)) await visit(place, needed, needed in optionalDependencies)
    for (const wanted of Object.keys({ ...optionalDependencies, ...peerDependencies }))
      await visit(place, wanted, true)
  }
  for (const name of names) await visit('', name, false)
  return [...places].sort()
}

/** Makes the tree readable for the user of the image, because the umask of the checkout can be stricter. */
async function letEveryoneRead(folder) {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const place = path.join(entry.parentPath, entry.name)
    const isOpened = entry.isDirectory() || ((await stat(place)).mode & 0o100) !== 0
    await chmod(place, isOpened ? 0o755 : 0o644)
  }
}

/**
 * Assembles the content of an image, except Node.js itself. The content is the built product and its packages, for
 * this operating system. Requires an installed checkout, but no network.
 */
export async function assembleImageTree(folder) {
  await buildPackage(folder)
  const manifestFile = path.join(folder, 'package.json')
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8'))
  // The image already contains Node.js.
  delete manifest.dependencies.node
  await writeFile(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`)
  await rm(path.join(folder, 'node_modules'), { recursive: true, force: true })
  for (const place of await placesOf(Object.keys(manifest.dependencies)))
    await cp(inRoot(place), path.join(folder, place), {
      recursive: true,
      // Skips nested packages, because packages that are needed have separate entries.
      filter: (source) => !LEFT_OUT.test(source) && !source.endsWith(`${place}/node_modules`),
    })
  await letEveryoneRead(folder)
}
