import type { AnswerTable } from '../database.ts'

/** How long responses are cached at most. */
export const KEPT_MS = 7 * 24 * 3600 * 1000
/** The limit of one response: a text has at most 10 MiB. */
const ANSWER_MAX_BYTES = 12_000_000

/** Limits of each table; the newest responses stay. */
export const LIMITS: Readonly<Record<AnswerTable, { readonly count: number; readonly bytes: number }>> = {
  pastes: { count: 200, bytes: 50_000_000 },
  files: { count: 300, bytes: 5_000_000 },
  directories: { count: 500, bytes: 50_000_000 },
  settings: { count: 50, bytes: 1_000_000 },
  answers: { count: 200, bytes: 20_000_000 },
}

export interface CacheableAnswer {
  readonly body: string
  readonly expiresAtMs: number
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A share with a password or a view limit is not cached. */
const isGuarded = (share: Fields): boolean =>
  ['hasPassword', 'has_password', 'requiresPassword', 'requires_password'].some((name) => share[name]) ||
  ['maxViews', 'max_views'].some((name) => Number(share[name] ?? 0) > 0)

/** Names of secrets and of links that grant access. */
const SECRETS = /^(?:plain_password|.*(?:url|Url|URL|token|ticket|secret).*)$/

/** Fields with the text, or its start, in a list of texts. */
const TEXTS: ReadonlySet<string> = new Set(['content', 'content_preview'])

/** Removes secrets, protected texts, and signed links, which are useless offline too. */
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

/** Whether a key belongs to one share rather than a list. */
const isOneShare = (table: AnswerTable, key: string) =>
  table === 'pastes' || table === 'files' || /^\/api\/(?:admin|user)\/pastes\/[^/?]+$/.test(key)

/**
 * What may be cached of a successful response, and until when; `null` for nothing.
 * @param answer the text of a JSON response
 */
export function cacheable(
  { table, key }: { readonly table: AnswerTable; readonly key: string },
  { text, nowMs }: { readonly text: string; readonly nowMs: number },
): CacheableAnswer | null {
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
  // Texts are cached unchanged: their content is not our secret.
  const body = table === 'pastes' ? text : JSON.stringify(withoutSecrets(answer))
  return { body, expiresAtMs: Math.min(untilMs, endsAtMs) }
}

export interface QueuedFacts<Id> {
  readonly id: Id
  readonly cachedAtMs: number
  readonly sizeBytes: number
}

/** Responses that are too old, too many, or beyond the size limit. */
export function findExcess<Id>(
  kept: readonly QueuedFacts<Id>[],
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
