import { access, readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { checkFreshness } from './fingerprint.mjs'
import { withLock } from './lock.mjs'
import { inRoot } from './paths.mjs'
import { runNpm } from './run.mjs'

const recordPath = inRoot('node_modules', '.dropleaf-install')

const readJson = async (...segments) => JSON.parse(await readFile(inRoot(...segments), 'utf8'))
const exists = (...segments) =>
  access(inRoot(...segments)).then(
    () => true,
    () => false,
  )

/** Whether node_modules already matches the lockfile, for example after a manual `npm install`. */
async function matchesLockfile(lock) {
  const installed = await readJson('node_modules', '.package-lock.json').catch(() => null)
  if (installed === null || !(await exists('node_modules', '.bin', 'node'))) return false
  for (const [name, entry] of Object.entries(lock.packages)) {
    if (!name.includes('node_modules/')) {
      const manifest = await readJson(...name.split('/').filter(Boolean), 'package.json').catch(() => ({}))
      const isInStep = ['dependencies', 'devDependencies'].every((field) =>
        isDeepStrictEqual(entry[field] ?? {}, manifest[field] ?? {}),
      )
      if (!isInStep) return false
    } else if (!entry.link) {
      const found = installed.packages[name]
      if (found === undefined ? !entry.optional : found.version !== entry.version) return false
    }
  }
  return true
}

/** Installs the dependencies, unless they already match the lockfile. */
export async function ensureInstalled() {
  const lock = await readJson('package-lock.json')
  const manifests = Object.keys(lock.packages).filter((name) => !name.includes('node_modules/'))
  const inputs = [
    'package-lock.json',
    ...manifests.map((name) => (name ? `${name}/package.json` : 'package.json')),
  ]
  const check = () => checkFreshness({ recordPath, inputs, output: 'node_modules/.package-lock.json' })
  if ((await check()).isFresh) return
  await withLock(
    'install',
    async () => {
      const { isFresh, save } = await check()
      if (isFresh) return
      if (!(await matchesLockfile(lock))) {
        console.log(
          'Installing dependencies, which takes a minute or two, or longer on a slow connection; later starts take a second or two…',
        )
        const code = await runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'])
        if (code !== 0) throw new Error(`Installing dependencies failed: "npm ci" ended with code ${code}.`)
      }
      await save()
    },
    () => console.log('Another process is installing dependencies; waiting for it…'),
  )
}
