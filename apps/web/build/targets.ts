import { readFile } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'acorn'
import { DIST } from './vite-manifest.ts'

/**
 * Fails if a built file has syntax, in regular expressions too, that the browsers of the README do not read: they refuse the
 * whole file. The ECMAScript version must equal `build.target` of Vite's configuration.
 */
const SYNTAX = 2022

/** Files of others that come as they are. */
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
