import type { DoctorCode, FindingParams } from '@dropleaf/storage'
import type { Language } from '../../../../messages/index.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

/** What can be wrong beyond the bucket: with what we keep of it, or with our own disk. */
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

/** Where a provider keeps what the steps speak of. */
export interface Places {
  readonly keys: string
  readonly rights: string
  readonly buckets: string
  readonly cors: string
  readonly lifecycle: string
  /** The form of its endpoints. */
  readonly endpoint: string
  /** Where the region of a bucket is shown. */
  readonly regions: string
}

export interface Finding {
  /** One sentence; `{name}` stands for a figure of the finding, or for a place of the provider. */
  readonly message: string
  readonly steps: readonly string[]
}

export interface DoctorTexts {
  readonly findings: Readonly<Record<FindingCode, Finding>>
  readonly places: Readonly<Record<Exclude<ProviderName, 'Local disk'>, Places>>
  /** Prefix of a problem that the test can repair. */
  readonly repair: string
  /** Words that stand for values of figures. */
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

/** The rule that pages need, as most providers take it. */
export const CORS_EXAMPLE =
  '[{"AllowedOrigins":["*"],"AllowedMethods":["GET","PUT","HEAD"],"AllowedHeaders":["*"],"ExposeHeaders":["ETag"],"MaxAgeSeconds":3600}]'

const fill = (template: string, values: Readonly<Record<string, string | number>>): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

/** The sentence and the steps for a finding, in a language, with the places of a provider. */
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
