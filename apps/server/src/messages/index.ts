import type {
  apiKeyErrors,
  authErrors,
  backupErrors,
  bundleErrors,
  fileErrors,
  fsErrors,
  mountErrors,
  pasteErrors,
  reconciliationErrors,
  requestErrors,
  RuleWords,
  settingsErrors,
  shareErrors,
  shellErrors,
  storageErrors,
  taskErrors,
  urlErrors,
  webdavErrors,
} from '@dropleaf/contract'
import type * as z from 'zod/mini'
import type { ErrorParams } from '../lib/app-error.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

type CodesOf<Specs extends Record<string, { readonly code: string }>> = Specs[keyof Specs]['code']
/** Every error code of the contract. A code without a message does not compile. */
export type ErrorCode =
  | CodesOf<typeof requestErrors>
  | CodesOf<typeof authErrors>
  | CodesOf<typeof apiKeyErrors>
  | CodesOf<typeof backupErrors>
  | CodesOf<typeof bundleErrors>
  | CodesOf<typeof pasteErrors>
  | CodesOf<typeof fileErrors>
  | CodesOf<typeof fsErrors>
  | CodesOf<typeof storageErrors>
  | CodesOf<typeof mountErrors>
  | CodesOf<typeof reconciliationErrors>
  | CodesOf<typeof settingsErrors>
  | CodesOf<typeof shareErrors>
  | CodesOf<typeof shellErrors>
  | CodesOf<typeof taskErrors>
  | CodesOf<typeof urlErrors>
  | CodesOf<typeof webdavErrors>
export type Messages = Readonly<Record<ErrorCode, string>>

/** Reasons for which a request is refused before any of our routes runs: codes of the HTTP layer, and our own codes. */
export type RefusalCode =
  | 'FST_ERR_BAD_URL'
  | 'FST_ERR_MAX_PARAM_LENGTH'
  | 'FST_ERR_CTP_EMPTY_JSON_BODY'
  | 'FST_ERR_CTP_INVALID_JSON_BODY'
  | 'FST_ERR_CTP_INVALID_CONTENT_LENGTH'
  | 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
  | 'JSON_TOO_DEEP'
  | 'JSON_TOO_MANY_VALUES'
  | 'FORM_TOO_MANY_FIELDS'

/** All messages of the server in one language. */
export interface Catalogue {
  readonly messages: Messages
  /** Messages for failed validation rules, keyed by the rule texts in the contract. */
  readonly rules: Readonly<Record<RuleWords, string>>
  readonly refusals: Readonly<Record<RefusalCode, string>>
  /** Messages for values that violate a schema. */
  readonly ofSchemas: z.core.$ZodErrorMap
  /** Returns how many texts were deleted, as a sentence. Older clients show this sentence unchanged. */
  readonly deletedTexts: (count: number) => string
}

/**
 * Every language of the server, keyed by the start of its BCP 47 tag. `docs/languages.md` explains how to add a
 * language.
 */
const catalogues = { en, zh } as const satisfies Readonly<Record<string, Catalogue>>

export type Language = keyof typeof catalogues
const FALLBACK: Language = 'en'
const LANGUAGES = Object.keys(catalogues) as Language[]

/**
 * Returns the language that `Accept-Language` starts with, such as Chinese for `zh…`; English if the server does not
 * support this language.
 */
export function languageOf(acceptLanguage = ''): Language {
  const wanted = acceptLanguage.trim().toLowerCase()
  return LANGUAGES.find((language) => wanted.startsWith(language)) ?? FALLBACK
}

export const catalogueOf = (language: Language): Catalogue => catalogues[language]

/** Returns the message for a code with its parameters filled in. An unknown code is returned unchanged. */
export function messageFor(code: string, language: Language, params: ErrorParams = {}): string {
  const template = (catalogues[language].messages as Readonly<Record<string, string>>)[code] ?? code
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))
}

/** Returns the message for one of our rules. A text that is not a rule is returned unchanged. */
export const ruleFor = (words: string, language: Language): string =>
  (catalogues[language].rules as Readonly<Record<string, string>>)[words] ?? words

/** Returns why the HTTP layer did not read a request. Uses the HTTP layer's own message if the catalogue has none. */
export const refusalFor = (
  { code, message }: { code: string; message: string },
  language: Language,
): string => (catalogues[language].refusals as Readonly<Record<string, string>>)[code] ?? message
