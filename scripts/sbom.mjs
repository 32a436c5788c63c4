import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { npmOutput } from './lib/run.mjs'
import { inRoot } from './lib/paths.mjs'

/**
 * Writes what the product consists of as a CycloneDX document: `npm run sbom -- [FILE]`, by default `dropleaf.cdx.json`. Read
 * from the lockfile, so that it is the same on every machine but for its number and time.
 */
const [target = 'dropleaf.cdx.json'] = process.argv.slice(2)
const file = path.resolve(process.env.INIT_CWD ?? process.cwd(), target)

const order = [
  'sbom',
  '--sbom-format',
  'cyclonedx',
  '--sbom-type',
  'application',
  '--omit',
  'dev',
  '--package-lock-only',
]
const bom = JSON.parse(await npmOutput(order))
const { name, version } = JSON.parse(await readFile(inRoot('package.json'), 'utf8'))

// npm calls the product by the folder that it lies in.
Object.assign(bom.metadata.component, { name, version, purl: `pkg:npm/${name}@${version}`, properties: [] })
for (const component of [bom.metadata.component, ...bom.components]) {
  // Where it was fetched from is no part of what it is.
  component.externalReferences = (component.externalReferences ?? []).filter(
    ({ type }) => type !== 'distribution',
  )
  component.properties = (component.properties ?? []).filter(
    (property) => property.name !== 'cdx:npm:package:path',
  )
}
await writeFile(file, `${JSON.stringify(bom, null, 2)}\n`)
console.log(`${bom.components.length} components in ${file}.`)
