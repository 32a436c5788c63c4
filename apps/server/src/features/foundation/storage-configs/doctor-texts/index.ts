import type { DoctorCode, FindingParams } from '@dropleaf/storage'
import type { Language } from '../../../../messages/index.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

/** Problems outside the bucket: with the stored configuration or with the local disk. */
export type OwnCode =
  | 'credentials_unreadable'
  | 'endpoint_invalid'
  | 'disk_missing'
  | 'disk_denied'
  | 'disk_full'
  | 'disk_low'
  | 'disk_failing'
export type FindingCode = DoctorCode | OwnCode

export type ProviderName = 'AWS S3' | 'Cloudflare R2' | 'Backblaze B2' | 'Aliyun OSS' | 'Other' | 'Local disk'

/** Names of the places in a provider's console that the steps mention. */
export interface Places {
  readonly keys: string
  readonly rights: string
  readonly buckets: string
  readonly cors: string
  readonly lifecycle: string
  /** Format of the provider's endpoints. */
  readonly endpoint: string
  /** Where the provider shows the region of a bucket. */
  readonly regions: string
}

export interface Finding {
  /**
   * One sentence. `{name}` is replaced by a parameter of the finding or by the name of a place in the provider's
   * console.
   */
  readonly message: string
  readonly steps: readonly string[]
}

export interface DoctorTexts {
  readonly findings: Readonly<Record<FindingCode, Finding>>
  readonly places: Readonly<Record<Exclude<ProviderName, 'Local disk'>, Places>>
  /** Step that precedes the other steps if the test can fix the problem. */
  readonly repair: string
  /** Texts for certain parameter values. */
  readonly words: Readonly<Record<string, string>>
  readonly notes: Readonly<Record<Note, string>>
}

export type Note =
  | 'read_done'
  | 'write_done'
  | 'write_skipped_b2'
  | 'cors_done'
  | 'cors_own'
  | 'browser_done'
  | 'browser_own'
  | 'not_tried'
  | 'step_sign'
  | 'step_upload'
  | 'step_verify'
  | 'all_well'
  | 'some_wrong'

const catalogues: Readonly<Record<Language, DoctorTexts>> = { en, zh }

/** Example of the CORS rule that the pages need, in the format of most providers. */
export const CORS_EXAMPLE =
  '[{"AllowedOrigins":["*"],"AllowedMethods":["GET","PUT","HEAD"],"AllowedHeaders":["*"],"ExposeHeaders":["ETag"],"MaxAgeSeconds":3600}]'

const fill = (template: string, values: Readonly<Record<string, string | number>>): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

export function describeFinding(
  found: { code: FindingCode; params: FindingParams; isFixable: boolean },
  { language, provider }: { language: Language; provider: ProviderName },
): { message: string; steps: string[] } {
  const texts = catalogues[language]
  const { message, steps } = texts.findings[found.code]
  const places = texts.places[provider === 'Local disk' ? 'Other' : provider]
  const figures = Object.entries(found.params).map(([name, value]) => [name, texts.words[value] ?? value])
  const values = { ...places, cors_rule: CORS_EXAMPLE, ...Object.fromEntries(figures) }
  const all = found.isFixable ? [texts.repair, ...steps] : steps
  return { message: fill(message, values), steps: all.map((step) => fill(step, values)) }
}

export const noteFor = (note: Note, language: Language): string => catalogues[language].notes[note]
