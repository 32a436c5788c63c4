import type { AnswerTable } from '../database.ts'

/** Maximum time for which responses are cached. */
export const KEPT_MS = 7 * 24 * 3600 * 1000
/** Maximum length of a response, compared with its UTF-16 units. Texts have at most 10 MiB. */
const ANSWER_MAX_BYTES = 12_000_000

/** Maximum number and total size of responses per table. The oldest responses are removed first. */
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

/** Whether a share has a password or a view limit, or requires confirmation. Such shares are not cached. */
const isGuarded = (share: Fields): boolean =>
  share['opening'] === 'ask' ||
  ['hasPassword', 'has_password', 'requiresPassword', 'requires_password'].some((name) => share[name]) ||
  ['maxViews', 'max_views'].some((name) => Number(share[name] ?? 0) > 0)

/** Names of fields that contain secrets or links that grant access. */
const SECRETS = /^(?:plain_password|.*(?:url|Url|URL|token|ticket|secret).*)$/

/** Fields that contain a text, or the start of a text in lists. */
const TEXTS: ReadonlySet<string> = new Set(['content', 'content_preview'])

/** Removes secrets and the texts of protected shares. Also removes signed links, which are useless offline. */
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

/** Whether a key belongs to a single share and not to a list of shares. */
const isOneShare = (table: AnswerTable, key: string) =>
  table === 'pastes' || table === 'files' || /^\/api\/(?:admin|user)\/pastes\/[^/?]+$/.test(key)

/**
 * Returns the part of a successful response that can be cached, and until when. Returns `null` if nothing can be
 * cached.
 * @param text a JSON response
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
  // A shared text contains no secrets of the server, so its response is cached unchanged.
  const body = table === 'pastes' ? text : JSON.stringify(withoutSecrets(answer))
  return { body, expiresAtMs: Math.min(untilMs, endsAtMs) }
}

export interface QueuedFacts<Id> {
  readonly id: Id
  readonly cachedAtMs: number
  readonly sizeBytes: number
}

/** Returns the IDs of responses that are too old or exceed the count or size limit. */
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
