import { readdir, readFile, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { inRoot } from './paths.mjs'

/** Entry points: the server, the command line, the server's commands, and the process that creates thumbnails. */
const ENTRIES = {
  main: 'apps/server/src/main.ts',
  cli: 'apps/cli/src/main.ts',
  backup: 'apps/server/src/commands/backup.ts',
  restore: 'apps/server/src/commands/restore.ts',
  'rotate-secret': 'apps/server/src/commands/rotate-secret.ts',
  'reset-password': 'apps/server/src/commands/reset-password.ts',
  'import-cloudpaste': 'apps/server/src/commands/import-cloudpaste.ts',
  'thumbnail-process': 'apps/server/src/images/thumbnail-process.ts',
}

/**
 * Files that the sources locate relative to themselves. Each value contains the path in the sources and the path in
 * the package, relative to its `server` folder.
 */
const PLACES = {
  'apps/server/src/images/thumbnailer.ts': ['./thumbnail-process.ts', './thumbnail-process.js'],
  'apps/server/src/app.ts': ['../../web/dist', '../web'],
  'apps/server/src/lib/version.ts': ['../../package.json', '../package.json'],
}

/** Rewrites `new URL('…', import.meta.url)` to the paths in the package. An unknown path fails the build. */
function placesPlugin() {
  const left = new Set(Object.keys(PLACES))
  return {
    name: 'dropleaf:places',
    transform(code, id) {
      const file = path.relative(inRoot(), id).split(path.sep).join('/')
      const place = PLACES[file]
      if (!place) {
        if (!file.includes('node_modules/') && /new URL\([^)]*import\.meta\.url/.test(code))
          throw new Error(`${file} locates a file by its path: add it to scripts/lib/bundle.mjs.`)
        return null
      }
      const [from, to] = place
      if (!code.includes(`'${from}'`)) throw new Error(`${file} no longer refers to ${from}.`)
      left.delete(file)
      return code.replaceAll(`'${from}'`, `'${to}'`)
    },
    buildEnd() {
      if (left.size > 0) throw new Error(`Not in the bundle: ${[...left].join(', ')}.`)
    },
  }
}

/**
 * Packages outside the bundle. They contain native code, or most servers never load them. Everything else is bundled,
 * because finding and reading a thousand files takes as long as the rest of a start.
 */
const APART = new Set([
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-request-presigner',
  '@node-rs/argon2',
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@smithy/core',
  '@smithy/node-http-handler',
  'file-type',
  'pg',
  'prom-client',
  'sharp',
])

const isBuiltIn = (id) => id.startsWith('node:') || builtinModules.includes(id)
const packageOf = (id) => (id.startsWith('@') ? id.split('/', 2).join('/') : id.split('/', 1)[0])

/** Returns the folders of the third-party packages that contain these modules. */
const packageFoldersOf = (moduleIds) =>
  [...new Set(moduleIds.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]))]
    .filter((folder) => folder !== undefined)
    .sort()

/**
 * Returns the licence texts of the bundled packages. A package without a text is listed with the licence of its
 * `package.json`.
 * @throws {Error} for a package without either
 */
async function licencesOf(folders) {
  const texts = await Promise.all(
    folders.map(async (folder) => {
      const { name, version, license, author } = JSON.parse(
        await readFile(path.join(folder, 'package.json'), 'utf8'),
      )
      const file = (await readdir(folder)).find((one) => /^licen[cs]e(?:-mit)?(?:\.\w+)?$/i.test(one))
      if (file === undefined && license === undefined) throw new Error(`${name} has no licence.`)
      const text = file
        ? await readFile(path.join(folder, file), 'utf8')
        : `${license}, ${typeof author === 'object' ? author.name : (author ?? 'its authors')}\n`
      return `${name} ${version}\n\n${text.trim()}\n`
    }),
  )
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

/**
 * Bundles the server, the command line and most third-party packages into JavaScript files. Writes the licences of
 * the packages next to these files.
 * @returns {Promise<string[]>} names of the packages that the bundle needs at run time
 */
export async function bundleServer(folder) {
  const { build } = await import('rolldown')
  const { output } = await build({
    cwd: inRoot(),
    input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, inRoot(file)])),
    platform: 'node',
    external: (id) => isBuiltIn(id) || APART.has(packageOf(id)),
    plugins: [placesPlugin()],
    logLevel: 'warn',
    output: {
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      cleanDir: true,
      comments: false,
    },
  })
  const moduleIds = output.flatMap((chunk) => chunk.moduleIds ?? [])
  await writeFile(path.join(folder, 'licences.txt'), await licencesOf(packageFoldersOf(moduleIds)))
  const imported = output.flatMap((chunk) => [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])])
  const files = new Set(output.map(({ fileName }) => fileName))
  return [...new Set(imported.filter((id) => !files.has(id) && !isBuiltIn(id)).map(packageOf))].sort()
}

/**
 * Returns the exact versions of packages that the workspaces require.
 * @throws {Error} for a package that no workspace requires
 */
export async function versionsOf(names) {
  const lock = JSON.parse(await readFile(inRoot('package-lock.json'), 'utf8'))
  const workspaces = [
    'apps/server',
    'packages/storage',
    'packages/contract',
    'packages/sync-queue',
    'packages/uploader',
  ]
  const asked = Object.assign({}, ...workspaces.map((name) => lock.packages[name].dependencies))
  const missing = names.filter((name) => asked[name] === undefined)
  if (missing.length > 0) throw new Error(`No workspace of the server depends on ${missing.join(', ')}.`)
  return Object.fromEntries(names.map((name) => [name, asked[name]]))
}
