import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { npmOutput } from './lib/run.mjs'
import { inRoot } from './lib/paths.mjs'

/**
 * Writes a CycloneDX document of the product: `npm run sbom -- [FILE]`. The default file is `dropleaf.cdx.json`. The
 * contents come from the lockfile, so only the serial number and the time differ between machines.
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

// Sets the name and version, because npm names the product after its folder.
Object.assign(bom.metadata.component, { name, version, purl: `pkg:npm/${name}@${version}`, properties: [] })
for (const component of [bom.metadata.component, ...bom.components]) {
  // Removes the download location, because it does not identify the package.
  component.externalReferences = (component.externalReferences ?? []).filter(
    ({ type }) => type !== 'distribution',
  )
  component.properties = (component.properties ?? []).filter(
    (property) => property.name !== 'cdx:npm:package:path',
  )
}
await writeFile(file, `${JSON.stringify(bom, null, 2)}\n`)
console.log(`${bom.components.length} components in ${file}.`)
