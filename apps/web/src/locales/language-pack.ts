import type { LanguageFacts } from './language-facts.ts'
import type { chinese } from './zh-CN/language.ts'

/** Texts by the part of the app that needs them; each part is a separate chunk. */
export type WordParts = (typeof chinese)['words']

/** A language of the interface: its facts, and the imports of its texts. */
export interface LanguagePack extends LanguageFacts {
  /** Has the same parts and keys as Chinese. */
  readonly words: WordParts
}
