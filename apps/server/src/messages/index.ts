import type {
  apiKeyErrors,
  authErrors,
  backupErrors,
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
/** Every code of the contract; a code without a text does not compile. */
export type ErrorCode =
  | CodesOf<typeof requestErrors>
  | CodesOf<typeof authErrors>
  | CodesOf<typeof apiKeyErrors>
  | CodesOf<typeof backupErrors>
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

/** Refusals before any of our routes runs: codes of the HTTP layer, and our own codes. */
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

/** What the server says in one language. */
export interface Catalogue {
  readonly messages: Messages
  /** Messages of broken rules; the keys are the words that the contract uses. */
  readonly rules: Readonly<Record<RuleWords, string>>
  readonly refusals: Readonly<Record<RefusalCode, string>>
  /** What the schema library says of a value that does not fit. */
  readonly ofSchemas: z.core.$ZodErrorMap
  /** Says how many texts were deleted; older clients show this sentence unchanged. */
  readonly deletedTexts: (count: number) => string
}

/** Every language of the server, by the start of its BCP 47 tag. `docs/languages.md` says how to add one. */
const catalogues = { en, zh } as const satisfies Readonly<Record<string, Catalogue>>

export type Language = keyof typeof catalogues
const FALLBACK: Language = 'en'
const LANGUAGES = Object.keys(catalogues) as Language[]

/** The language with whose name `Accept-Language` starts: Chinese for `zh…`; English when there is none. */
export function languageOf(acceptLanguage = ''): Language {
  const wanted = acceptLanguage.trim().toLowerCase()
  return LANGUAGES.find((language) => wanted.startsWith(language)) ?? FALLBACK
}

export const catalogueOf = (language: Language): Catalogue => catalogues[language]

/** The text of a code with its figures filled in; an unknown code is its own text. */
export function messageFor(code: string, language: Language, params: ErrorParams = {}): string {
  const template = (catalogues[language].messages as Readonly<Record<string, string>>)[code] ?? code
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))
}

/** The message of one of our rules. A text that is not a rule is returned unchanged. */
export const ruleFor = (words: string, language: Language): string =>
  (catalogues[language].rules as Readonly<Record<string, string>>)[words] ?? words

/** Why the HTTP layer did not read a request, in its own words where we have none. */
export const refusalFor = (
  { code, message }: { code: string; message: string },
  language: Language,
): string => (catalogues[language].refusals as Readonly<Record<string, string>>)[code] ?? message
