import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { assembleImageTree } from './lib/image-tree.mjs'
import { ensureInstalled } from './lib/install.mjs'

/** Assembles the file tree of the container image: `npm run image-tree -- FOLDER`. The Dockerfile does the same. */

const [target] = process.argv.slice(2)
if (target === undefined) {
  console.error('Usage: npm run image-tree -- FOLDER')
  process.exit(1)
}
const folder = path.resolve(process.env.INIT_CWD ?? process.cwd(), target)

/** Rejects a target with contents other than an earlier tree of this script, because the target will be deleted. */
async function requireReplaceable() {
  const names = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.length === 0) return
  const manifest = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '{}')
  const isTree =
    JSON.parse(manifest).name === 'dropleaf' && names.includes('server') && !names.includes('apps')
  if (!isTree) throw new Error(`${folder} holds something else. Name an empty or new folder.`)
}

try {
  await requireReplaceable()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
await ensureInstalled()
await assembleImageTree(folder)
console.log(folder)
