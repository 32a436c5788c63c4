import type { LanguageFacts } from './language-facts.ts'
import type { chinese } from './zh-CN/language.ts'

/** Words by the part of the app that needs them; each part is a chunk of its own. */
export type WordParts = (typeof chinese)['words']

/** A language of the interface: what is to be known of it, and the ways to its words. */
export interface LanguagePack extends LanguageFacts {
  /** Exactly the parts and keys that Chinese has. */
  readonly words: WordParts
}
