import type { Language } from '../../../../messages/index.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

interface SampleFile {
  readonly name: string
  readonly content: string
}

/** Contents of the samples in one language. */
export interface SampleTexts {
  /** Remark of the sample shares. */
  readonly remark: string
  readonly text: string
  readonly file: SampleFile
  readonly folder: { readonly name: string; readonly files: readonly SampleFile[] }
}

const catalogues: Readonly<Record<Language, SampleTexts>> = { en, zh }

export const samplesIn = (language: Language): SampleTexts => catalogues[language]

/** Whether a text is an unchanged sample, in any language. */
export const isSampleText = (content: string): boolean =>
  Object.values(catalogues).some(({ text }) => text === content)
