import * as contract from '@dropleaf/contract'
import type { ErrorSpec } from '@dropleaf/contract'
import { describe, expect, test } from 'vitest'
import { adminWords as adminEnglish } from './en-US/admin/index.ts'
import { editorWords as editorEnglish } from './en-US/editor-words.ts'
import { fileWords as fileEnglish } from './en-US/file-words.ts'
import { locale as english } from './en-US/index.ts'
import { later as laterEnglish } from './en-US/later.ts'
import { offline as offlineEnglish } from './en-US/offline.ts'
import { queue as queueEnglish } from './en-US/queue.ts'
import { textViewWords as readingEnglish } from './en-US/text-view-words.ts'
import { adminWords as adminChinese } from './zh-CN/admin/index.ts'
import { editorWords as editorChinese } from './zh-CN/editor-words.ts'
import { fileWords as fileChinese } from './zh-CN/file-words.ts'
import { locale as chinese } from './zh-CN/index.ts'
import { later as laterChinese } from './zh-CN/later.ts'
import { offline as offlineChinese } from './zh-CN/offline.ts'
import { queue as queueChinese } from './zh-CN/queue.ts'
import { textViewWords as readingChinese } from './zh-CN/text-view-words.ts'

type Words = { readonly [key: string]: string | Words }

function flatten(words: Words, prefix = ''): Map<string, string> {
  const entries = Object.entries(words).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : [...flatten(value, `${prefix}${key}.`)],
  )
  return new Map(entries)
}

const zh = flatten({
  ...chinese,
  queue: queueChinese,
  ...laterChinese,
  offline: offlineChinese,
  ...fileChinese,
  ...editorChinese,
  ...readingChinese,
  ...adminChinese,
})
const en = flatten({
  ...english,
  queue: queueEnglish,
  ...laterEnglish,
  offline: offlineEnglish,
  ...fileEnglish,
  ...editorEnglish,
  ...readingEnglish,
  ...adminEnglish,
})
const placeholders = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '').toSorted((a, b) => a.localeCompare(b))

const isSpec = (value: unknown): value is ErrorSpec =>
  typeof value === 'object' && value !== null && 'code' in value && 'status' in value
const errorCodes = Object.entries(contract)
  .filter(([name]) => name.endsWith('Errors'))
  .flatMap(([, specs]) => Object.values(specs as object).filter(isSpec))
  .map((spec) => spec.code)

describe('both languages', () => {
  test('have the same keys, in words', () => {
    expect([...en.keys()].toSorted()).toEqual([...zh.keys()].toSorted())
    expect([...zh, ...en].filter(([, text]) => text.trim() === '')).toEqual([])
  })
  test('fill in the same values', () => {
    const values = (words: Map<string, string>) =>
      Object.fromEntries([...words].map(([key, text]) => [key, placeholders(text)]))
    expect(values(en)).toEqual(values(zh))
  })
  test('are written in their own script', () => {
    expect([...en].filter(([, text]) => /\p{Script=Han}/u.test(text))).toEqual([])
  })
})

test('every error of the contract has words', () => {
  expect(errorCodes.length).toBeGreaterThan(40)
  const isMissing = (code: string) => !zh.has(`errors.${code}`) || !en.has(`errors.${code}`)
  expect(errorCodes.filter(isMissing)).toEqual([])
})
