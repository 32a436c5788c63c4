import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadWordsOf } from '../testing/words.ts'
import { chinese } from './zh-CN/language.ts'

const WEB = join(import.meta.dirname, '..')
const PACKAGES = ['contract', 'uploader'].map((name) => join(WEB, `../../../packages/${name}/src`))

type Tree = { readonly [key: string]: string | Tree }

const keysOf = (words: Tree, prefix = ''): string[] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  )

/** Returns all sources, except the texts themselves and tests, because these do not count as uses. */
const readSources = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|^(?:locales|testing)\b/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')

const web = readSources(WEB)
const names = new Set([web, ...PACKAGES.map(readSources)].flatMap((text) => text.match(/[\w-]+/g)))
const literals = new Set([...web.matchAll(/['"]([\w-]+(?:\.[\w-]+)+)['"]/g)].map(([, key]) => key))

/** Templates of keys with a dynamic part, such as `explorer.${mode}.done`. */
const built = [
  ...new Set([...web.matchAll(/`([\w-]+\.(?:[\w.-]|\$\{[^{}`]*\})*)`/g)].map(([, key = '']) => key)),
]
  .filter((key) => key.includes('${'))
  .map((key) => new RegExp(`^${key.replaceAll('.', String.raw`\.`).replaceAll(/\$\{[^{}]*\}/g, '(.+)')}$`))

/**
 * Whether a template can produce the key. The dynamic part must also occur in the code as a name: of a property, a
 * case, or a code of the contract.
 */
const isBuilt = (key: string) =>
  built.some((pattern) =>
    pattern
      .exec(key)
      ?.slice(1)
      .every((part) => part.split('.').every((name) => names.has(name))),
  )

/** Two groups are used as whole objects: one is indexed by name, the other by command id. */
function isTaken(key: string): boolean {
  const [group = '', name = '', id = ''] = key.split('.')
  if (group === 'reading') return new RegExp(String.raw`[wW]ords\.${name}\b`).test(web)
  return group === 'palette' && name === 'commands' && names.has(id)
}

test('every word is used somewhere', async () => {
  const isUsed = (key: string) => literals.has(key) || isBuilt(key) || isTaken(key)
  const keys = keysOf(await loadWordsOf(chinese)).map((key) =>
    key.replace(/_(?:zero|one|two|few|many|other)$/, ''),
  )
  expect(keys.length).toBeGreaterThan(1000)
  expect(keys.filter((key) => !isUsed(key))).toEqual([])
})
