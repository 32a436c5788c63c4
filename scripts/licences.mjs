import { readFile, writeFile } from 'node:fs/promises'
import { licencesPage, readLicences } from './lib/licences.mjs'
import { inRoot } from './lib/paths.mjs'

/** Writes `docs/licences.md`; with `--check` reports problems instead. */
const page = inRoot('docs', 'licences.md')
const all = await readLicences()
const refused = all.filter(({ isAllowed }) => !isAllowed)
for (const { name, version, licence } of refused)
  console.error(`${name} ${version} is under ${licence}, which is neither allowed nor an exception.`)
if (refused.length > 0) process.exitCode = 1

const text = licencesPage(all)
if (!process.argv.includes('--check')) {
  await writeFile(page, text)
} else if ((await readFile(page, 'utf8').catch(() => '')) !== text) {
  console.error('docs/licences.md is outdated: run npm run docs:licences.')
  process.exitCode = 1
}
