import { readFile } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'acorn'
import { DIST } from './vite-manifest.ts'

/**
 * This script fails if a built file contains syntax that the browsers in the README cannot parse. It checks regular
 * expressions as well.
 */

/** ECMAScript version. Must equal `build.target` in Vite's configuration. */
const SYNTAX = 2022

/** Third-party files that are copied unchanged. */
const AS_THEY_ARE = /^assets\/pdf-/

const faults: string[] = []
const names = globSync('**/*.js', { cwd: DIST }).filter((name) => !AS_THEY_ARE.test(name))
for (const name of names) {
  const source = await readFile(join(DIST, name), 'utf8')
  try {
    parse(source, { ecmaVersion: SYNTAX, sourceType: name === 'theme.js' ? 'script' : 'module' })
  } catch (error) {
    faults.push(`${name}: ${String(error)}`)
  }
}
if (faults.length > 0) throw new Error(`Syntax beyond ES${SYNTAX}:\n${faults.join('\n')}`)
console.log(`${names.length} files are ES${SYNTAX}.`)
