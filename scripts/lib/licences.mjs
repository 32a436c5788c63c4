import { readFile } from 'node:fs/promises'
import { inRoot } from './paths.mjs'

/** Licences that the product may include: permissive ones, and public domain dedications. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Unlicense',
  'Zlib',
])

/** Licences of packages that do not name them in `package.json`. */
const FOUND = { khroma: 'MIT' }

/** Exceptions, each with the reason. */
const EXCEPTIONS = [
  {
    name: /^@img\/sharp-/,
    reason:
      'libvips, for thumbnails: a shared library that comes unchanged from its makers, is loaded at run time and can be replaced.',
  },
  {
    name: /^libheif-js$/,
    reason:
      'Decodes HEIC pictures in the browser: unchanged, in a part of the web app that is fetched when such a picture is looked at.',
  },
  {
    name: /^elkjs$/,
    reason:
      'Lays out some diagrams, under the EPL: unchanged, in a part of the web app of its own, and its makers publish its source.',
  },
]

/** Evaluates an SPDX expression: for OR one licence must be allowed, for AND all of them. */
function isAllowed(expression) {
  const text = expression.replaceAll(/[()]/g, ' ').trim()
  return text
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((id) => ALLOWED.has(id.trim())))
}

/** Path of a dependency in the lockfile: nested in the package, or in a folder above it. */
export function locate(packages, from, name) {
  for (let folder = from; ;) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[place]) return place
    if (folder === '') return null
    const last = folder.lastIndexOf('/node_modules/')
    folder = last === -1 ? '' : folder.slice(0, last)
  }
}

/** Every package that the server and the web app need at run time, on any system. */
function productionPlaces(packages) {
  const places = new Set()
  const waiting = ['apps/server', 'apps/web']
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    const entry = packages[from]
    const names = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
    for (const peer of Object.keys(entry.peerDependencies ?? {}))
      if (!entry.peerDependenciesMeta?.[peer]?.optional) names.push(peer)
    for (const name of names) {
      const place = locate(packages, from, name)
      const found = place !== null && packages[place].link ? packages[place].resolved : place
      if (found === null || places.has(found)) continue
      places.add(found)
      waiting.push(found)
    }
  }
  return [...places].filter((place) => place.includes('node_modules/')).sort()
}

/**
 * The production dependencies with their licences.
 * @returns {Promise<{ name: string, version: string, licence: string, reason: string | null, isAllowed: boolean }[]>}
 */
export async function readLicences() {
  const { packages } = JSON.parse(await readFile(inRoot('package-lock.json'), 'utf8'))
  const seen = new Map()
  for (const place of productionPlaces(packages)) {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const { version, license } = packages[place]
    const licence = license ?? FOUND[name] ?? 'unknown'
    const exception = isAllowed(licence) ? undefined : EXCEPTIONS.find((one) => one.name.test(name))
    seen.set(`${name}@${version}`, {
      name,
      version,
      licence,
      reason: exception?.reason ?? null,
      isAllowed: isAllowed(licence) || exception !== undefined,
    })
  }
  return [...seen.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** The page that lists them. */
export function licencesPage(all) {
  const counts = Map.groupBy
    ? Map.groupBy(all, ({ licence }) => licence)
    : all.reduce((map, one) => map.set(one.licence, [...(map.get(one.licence) ?? []), one]), new Map())
  const kinds = [...counts].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
  const argued = all.filter(({ reason }) => reason !== null)
  return `# Licences of what comes along

Made by \`npm run docs:licences\` from the lockfile; do not edit it by hand. \`npm run check\` fails when it is not up to date, or when a licence is neither allowed nor argued (\`scripts/lib/licences.mjs\`).

Everything that the server and the web app need to run, on whatever system: ${all.length} packages.

${kinds.map(([licence, list]) => `- ${licence}: ${list.length}`).join('\n')}

## Not permissive, and why they may come along

${argued.map(({ name, version, licence, reason }) => `- ${name} ${version} (${licence}): ${reason}`).join('\n')}

## All of them

${all.map(({ name, version, licence }) => `- ${name} ${version}: ${licence}`).join('\n')}
`
}
