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
  settingsErrors,
  storageErrors,
  taskErrors,
  urlErrors,
  webdavErrors,
} from '@dropleaf/contract'
import type { ErrorParams } from '../../lib/app-error.ts'
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
  | CodesOf<typeof taskErrors>
  | CodesOf<typeof urlErrors>
  | CodesOf<typeof webdavErrors>
export type Messages = Readonly<Record<ErrorCode, string>>

export type Language = 'zh' | 'en'
const catalogues: Record<Language, Messages> = { zh, en }

/** Chinese when `Accept-Language` starts with `zh`, otherwise English. */
export function languageOf(acceptLanguage: string | undefined): Language {
  return acceptLanguage?.trim().toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

/** The text of a code with its figures filled in; an unknown code is its own text. */
export function messageFor(code: string, language: Language, params: ErrorParams = {}): string {
  const template = (catalogues[language] as Readonly<Record<string, string>>)[code] ?? code
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))
}
