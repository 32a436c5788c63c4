import type { LanguagePack } from '../locales/language-pack.ts'
import type { Locale } from '../locales/zh-CN/index.ts'
import type { reading } from '../locales/zh-CN/reading.ts'

/** All texts of the interface in one language. */
export type Words = Locale & { readonly reading: typeof reading }

export async function loadWordsOf({ words }: LanguagePack): Promise<Words> {
  const parts = await Promise.all(Object.values(words).map((load) => load()))
  // Several parts contain an `errors` object, so these objects are merged.
  const errors = Object.assign({}, ...parts.map((part) => ('errors' in part ? part.errors : {}))) as object
  return Object.assign({}, ...parts, { errors }) as Words
}
