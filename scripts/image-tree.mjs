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

await ensureInstalled()
await assembleImageTree(folder)
console.log(folder)
