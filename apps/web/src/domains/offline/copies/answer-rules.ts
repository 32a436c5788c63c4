import type { AnswerTable } from '../database.ts'

/** What has been read is kept this long at most. */
export const KEPT_MS = 7 * 24 * 3600 * 1000
/** No single answer may be larger: a text has at most 10 MiB. */
const ANSWER_MAX_BYTES = 12_000_000

/** Newest first, so much is kept of each table. */
export const LIMITS: Readonly<Record<AnswerTable, { readonly count: number; readonly bytes: number }>> = {
  pastes: { count: 200, bytes: 50_000_000 },
  files: { count: 300, bytes: 5_000_000 },
  directories: { count: 500, bytes: 50_000_000 },
  settings: { count: 50, bytes: 1_000_000 },
  answers: { count: 200, bytes: 20_000_000 },
}

export interface Keepable {
  readonly body: string
  readonly expiresAtMs: number
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A share that only some may see, or only so often, is not there to be read again. */
const isGuarded = (share: Fields): boolean =>
  ['hasPassword', 'has_password', 'requiresPassword', 'requires_password'].some((name) => share[name]) ||
  ['maxViews', 'max_views'].some((name) => Number(share[name] ?? 0) > 0)

/** Names of what opens something by itself, or is a secret. */
const SECRETS = /^(?:plain_password|.*(?:url|Url|URL|token|ticket|secret).*)$/

/** How a text begins, or all of it, in a list of texts. */
const TEXTS: ReadonlySet<string> = new Set(['content', 'content_preview'])

/** The same without secrets, guarded texts, and signed links, which have no use without a server either. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isFields(value)) return value
  const hidesText = isGuarded(value)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (name === 'plain_password') return [[name, null]]
      if (hidesText && TEXTS.has(name)) return [[name, '']]
      return SECRETS.test(name) ? [] : [[name, withoutSecrets(inner)]]
    }),
  )
}

function parse(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : null
  } catch {
    return null
  }
}

/** Whether an address leads to one share rather than to a list. */
const isOneShare = (table: AnswerTable, key: string) =>
  table === 'pastes' || table === 'files' || /^\/api\/(?:admin|user)\/pastes\/[^/?]+$/.test(key)

/**
 * What is kept of a successful answer, and until when; `null` when nothing may be.
 * @param answer the text of a JSON answer
 */
export function keepable(
  { table, key }: { readonly table: AnswerTable; readonly key: string },
  { text, nowMs }: { readonly text: string; readonly nowMs: number },
): Keepable | null {
  if (text.length > ANSWER_MAX_BYTES) return null
  const answer = parse(text)
  if (!answer || answer['success'] === false) return null
  const untilMs = nowMs + KEPT_MS
  if (!isOneShare(table, key)) return { body: JSON.stringify(withoutSecrets(answer)), expiresAtMs: untilMs }
  const share = isFields(answer['data']) ? answer['data'] : answer
  if (isGuarded(share)) return null
  const endsAt = share['expiresAt'] ?? share['expires_at']
  const endsAtMs = typeof endsAt === 'string' ? Date.parse(endsAt) : Number.POSITIVE_INFINITY
  if (!(endsAtMs > nowMs)) return null
  // A text is kept as it came: whatever it says in it is no secret of ours.
  const body = table === 'pastes' ? text : JSON.stringify(withoutSecrets(answer))
  return { body, expiresAtMs: Math.min(untilMs, endsAtMs) }
}

export interface KeptFacts<Id> {
  readonly id: Id
  readonly cachedAtMs: number
  readonly sizeBytes: number
}

/** Those that are too old or too many, or for which there is no room beside newer ones. */
export function findExcess<Id>(
  kept: readonly KeptFacts<Id>[],
  { count, bytes }: { readonly count: number; readonly bytes: number },
  nowMs: number,
): readonly Id[] {
  let sumBytes = 0
  return kept
    .toSorted((one, other) => other.cachedAtMs - one.cachedAtMs)
    .filter(({ cachedAtMs, sizeBytes }, index) => {
      sumBytes += sizeBytes
      return index >= count || sumBytes > bytes || nowMs - cachedAtMs >= KEPT_MS
    })
    .map(({ id }) => id)
}
