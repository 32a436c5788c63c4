import type { OperationType } from '@dropleaf/sync-queue'

/** The properties of a call that a queue entry needs. */
export interface Operation {
  readonly type: OperationType
  /** Objects that the call changes. Changes with a common subject are sent in order. */
  readonly subjects: readonly string[]
}

interface Rule {
  readonly method: string
  readonly path: RegExp
  readonly type: OperationType
  /** Whether a request with this body can be queued; absent if each request can. */
  readonly accepts?: (body: unknown) => boolean
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Whether a creation request publishes an encrypted text. Drafts of other bundles wait for files. */
const isSealedText = (body: unknown): boolean =>
  text((body as { manifest?: unknown } | null)?.manifest) !== null

/** Requests that can be queued, including their equivalents for API keys. No other request is queued. */
const RULES: readonly Rule[] = [
  { method: 'POST', path: /^\/api\/paste$/, type: 'create_paste' },
  { method: 'POST', path: /^\/api\/bundles$/, type: 'create_sealed_text', accepts: isSealedText },
  {
    method: 'POST',
    path: /^\/api\/(?:admin|user)\/pastes\/batch-delete$/,
    type: 'batch_delete_pastes',
  },
  {
    method: 'POST',
    path: /^\/api\/(?:admin|user)\/pastes\/clear-expired$/,
    type: 'clear_expired_pastes',
  },
  { method: 'PUT', path: /^\/api\/(?:admin|user)\/pastes\/([^/]+)$/, type: 'update_paste' },
  { method: 'DELETE', path: /^\/api\/(?:admin|user)\/pastes\/([^/]+)$/, type: 'delete_paste' },
  { method: 'PUT', path: /^\/api\/admin\/system-settings$/, type: 'update_settings' },
  { method: 'POST', path: /^\/api\/(?:admin|user)\/cache\/clear$/, type: 'clear_cache' },
  { method: 'POST', path: /^\/api\/public\/files\/([^/]+)\/verify$/, type: 'verify_file_password' },
]

function subjectsOf(type: OperationType, name: string | undefined, body: unknown): string[] {
  const data = (body ?? {}) as { slug?: unknown; ids?: unknown }
  switch (type) {
    case 'create_paste': {
      const slug = text(data.slug)
      return slug === null ? [] : [`paste:${slug}`]
    }
    case 'batch_delete_pastes':
      return Array.isArray(data.ids) ? data.ids.map((id) => `paste:${String(id)}`) : []
    case 'update_paste':
    case 'delete_paste':
      return [`paste:${decodeURIComponent(name ?? '')}`]
    case 'verify_file_password':
      return [`file:${decodeURIComponent(name ?? '')}`]
    case 'update_settings':
      return ['settings']
    case 'create_sealed_text':
    case 'clear_expired_pastes':
    case 'clear_cache':
      return []
  }
}

/**
 * Returns the operation of a call, or `null` if the call cannot be queued.
 * @param path below the server's URL, without the query
 */
export function operationOf(method: string, path: string, body: unknown): Operation | null {
  for (const { method: wanted, path: pattern, type, accepts } of RULES) {
    const match = method === wanted ? pattern.exec(path) : null
    if (match && (accepts?.(body) ?? true)) return { type, subjects: subjectsOf(type, match[1], body) }
  }
  return null
}
