import { english } from './en-US/language.ts'
import type { LanguagePack } from './language-pack.ts'
import { chinese } from './zh-CN/language.ts'

/** Every language of the interface, in menu order. `docs/languages.md` explains how to add one. */
export const LANGUAGES = [chinese, english] as const satisfies readonly LanguagePack[]

export type Language = (typeof LANGUAGES)[number]['code']

/** For users of languages that the interface does not have. */
export const FALLBACK: (typeof LANGUAGES)[number] = english

/** Returns the language with the primary subtag of a BCP 47 tag, otherwise the fallback. */
export const languageOf = (tag: string): (typeof LANGUAGES)[number] =>
  LANGUAGES.find(({ code }) => code === tag) ?? LANGUAGES.find((pack) => isSpokenIn(pack, tag)) ?? FALLBACK

const isSpokenIn = ({ code }: LanguagePack, tag: string): boolean => primary(code) === primary(tag)

const primary = (tag: string): string => tag.toLowerCase().split('-', 1)[0] ?? ''
