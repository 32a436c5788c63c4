import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { ensureInstalled } from './lib/install.mjs'
import { buildPackage } from './lib/package.mjs'
import { inRoot } from './lib/paths.mjs'
import { npmOutput } from './lib/run.mjs'

/**
 * Creates the tarball for installing the product: `npm run package -- [FOLDER]`. The default folder is `dist`.
 * Afterwards, `npx ./dist/dropleaf-VERSION.tgz` runs the server.
 */
const [target = 'dist'] = process.argv.slice(2)
const folder = path.resolve(process.env.INIT_CWD ?? process.cwd(), target)

await ensureInstalled()
const built = inRoot('.cache', 'package')
await buildPackage(built)
try {
  await mkdir(folder, { recursive: true })
} catch (error) {
  console.error(
    `Cannot write to ${folder}: ${error.code === 'EEXIST' || error.code === 'ENOTDIR' ? 'it is no folder' : error.message}.`,
  )
  process.exit(1)
}
const [{ filename }] = JSON.parse(await npmOutput(['pack', '--json', '--pack-destination', folder, built]))
console.log(path.join(folder, filename))
