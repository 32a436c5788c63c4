import * as contract from '@dropleaf/contract'
import type { ErrorSpec } from '@dropleaf/contract'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeLanguageFiles } from '../../build/language-files.ts'
import { type FirstLanguage, runFirst } from '../../build/first-script.ts'
import { pseudoText, pseudoWords } from '../testing/pseudo.ts'
import { loadWordsOf } from '../testing/words.ts'
import type { LanguagePack, WordParts } from './language-pack.ts'
import { LANGUAGES, languageOf } from './languages.ts'
import { english } from './en-US/language.ts'

type Tree = { readonly [key: string]: string | Tree }

function flatten(words: Tree, prefix = ''): Map<string, string> {
  const entries = Object.entries(words).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : [...flatten(value, `${prefix}${key}.`)],
  )
  return new Map(entries)
}

/** A generated language, with the type that every language has. */
const pseudo: LanguagePack = {
  ...english,
  code: 'en-XA',
  name: pseudoText(english.name),
  justNow: pseudoText(english.justNow),
  words: Object.fromEntries(
    Object.entries(english.words).map(([part, load]) => [
      part,
      async () => pseudoWords<object>(await load()),
    ]),
  ) as WordParts,
}

const ALL: readonly LanguagePack[] = [...LANGUAGES, pseudo]
const words = new Map<string, Map<string, string>>()
beforeAll(async () => {
  for (const pack of ALL) words.set(pack.code, flatten(await loadWordsOf(pack)))
})
const wordsIn = (code: string): Map<string, string> => words.get(code) ?? new Map<string, string>()
const reference = () => wordsIn('zh-CN')

const placeholders = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '').toSorted((a, b) => a.localeCompare(b))
/** Suffix of plural keys. A text with a number has one key for each plural category of the language. */
const COUNTED = /_(?:zero|one|two|few|many|other)$/
const stemOf = (key: string): string => {
  const stem = key.replace(COUNTED, '')
  return key.startsWith('errors.') || !reference().has(`${stem}_other`) ? key : stem
}

const isSpec = (value: unknown): value is ErrorSpec =>
  typeof value === 'object' && value !== null && 'code' in value && 'status' in value
const errorCodes = Object.entries(contract)
  .filter(([name]) => name.endsWith('Errors'))
  .flatMap(([, specs]) => Object.values(specs as object).filter(isSpec))
  .map((spec) => spec.code)

describe.each(ALL.map(({ code }) => code))('%s', (code) => {
  test('has the same keys as Chinese, in words', () => {
    const stems = (keys: Iterable<string>) => [...new Set([...keys].map(stemOf))].toSorted()
    expect(stems(wordsIn(code).keys())).toEqual(stems(reference().keys()))
    expect([...wordsIn(code)].filter(([, text]) => text.trim() === '')).toEqual([])
  })
  test('has a form for every kind of number that it knows', () => {
    const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories
    const counted = [...wordsIn(code).keys()].filter((key) => key !== stemOf(key)).map(stemOf)
    expect(counted.length).toBeGreaterThan(10)
    const missing = counted.flatMap((stem) => forms.map((form) => `${stem}_${form}`))
    expect(missing.filter((key) => !wordsIn(code).has(key))).toEqual([])
  })
  test('fills in the same values', () => {
    const values = (key: string) => placeholders(wordsIn(code).get(key) ?? '')
    const differing = [...reference()].filter(
      ([key, text]) => String(values(key)) !== String(placeholders(text)),
    )
    expect(differing).toEqual([])
  })
  test('has words for every error of the contract', () => {
    expect(errorCodes.length).toBeGreaterThan(40)
    expect(errorCodes.filter((error) => !wordsIn(code).has(`errors.${error}`))).toEqual([])
  })
})

test('languages are written in their own script', () => {
  for (const { code } of LANGUAGES.filter(({ code }) => code !== 'zh-CN'))
    expect([...wordsIn(code)].filter(([, text]) => /\p{Script=Han}/u.test(text))).toEqual([])
})

test('Chinese has parentheses of its own', () => {
  const texts = [...wordsIn('zh-CN')]
  expect(texts.filter(([, text]) => /\p{Script=Han}/u.test(text) && /[()]/.test(text))).toEqual([])
})

test('the generated language is longer by a third, whole and without a plain letter outside of values', () => {
  const texts = [...wordsIn('en-XA').values()]
  const lengthOf = (list: readonly string[]) => list.join('').replaceAll(/\{\{\w+\}\}|[⟦⟧]/g, '').length
  expect(lengthOf(texts) / lengthOf([...wordsIn('en-US').values()])).toBeGreaterThan(1.3)
  expect(texts.filter((text) => !/^⟦.*⟧$/s.test(text))).toEqual([])
  expect(
    texts.filter((text) => /[a-z]/i.test(text.replaceAll(/\{\{\w+\}\}|\{\w+\}|<\/?\w+\/?>/g, ''))),
  ).toEqual([])
  expect(pseudoText('Delete {{count}} items?')).toBe('⟦Ðééļééţéé {{count}} ííţééɱš?⟧')
})

describe('the first script of a page', () => {
  afterEach(() => vi.unstubAllGlobals())

  /** Returns the language that the app chooses if there is one more language. */
  function run({ browser, stored = null }: { browser: string; stored?: string | null }) {
    const link = { href: 'https://example.com/below/manifest.webmanifest' }
    const root = { lang: '', setAttribute: () => undefined, dataset: {} }
    const createElement = () => ({ noModule: false })
    vi.stubGlobal('document', { documentElement: root, querySelector: () => link, createElement })
    vi.stubGlobal('addEventListener', () => undefined)
    vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'language' ? stored : null) })
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
    vi.stubGlobal('navigator', { language: browser })
    const named = (code: string): FirstLanguage => ({ code, manifest: `manifest.${code}.webmanifest` })
    runFirst([{ code: 'en-US', manifest: 'manifest.webmanifest' }, named('zh-CN'), named('fr-FR')])
    return `${root.lang} ${link.href.replace('https://example.com/below/', '')}`
  }

  test('takes the stored language, otherwise the one of the browser, otherwise English', () => {
    expect(run({ browser: 'fr-CA' })).toBe('fr-FR manifest.fr-FR.webmanifest')
    expect(run({ browser: 'zh-TW' })).toBe('zh-CN manifest.zh-CN.webmanifest')
    expect(run({ browser: 'fr-FR', stored: 'en-US' })).toBe('en-US manifest.webmanifest')
    expect(run({ browser: 'pt-BR', stored: 'tlh' })).toBe('en-US manifest.webmanifest')
  })

  test('decides as the app does', () => {
    for (const browser of ['zh', 'ZH-hant-HK', 'en-GB', 'ja', ''])
      expect(run({ browser })).toContain(`${languageOf(browser).code} `)
  })
})

test('every language has a name for the installed app, and the first script knows them all', async () => {
  const files = await makeLanguageFiles()
  for (const { code } of LANGUAGES) {
    const manifest = files.get(code === 'en-US' ? 'manifest.webmanifest' : `manifest.${code}.webmanifest`)
    expect(JSON.parse(manifest ?? '{}')).toMatchObject({
      lang: code,
      name: expect.stringContaining('Dropleaf'),
    })
    expect(files.get('theme.js')).toContain(`"code":"${code}"`)
  }
})
