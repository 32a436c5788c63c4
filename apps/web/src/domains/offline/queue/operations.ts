import type { OperationType } from '@dropleaf/sync-queue'

/** What a call is in the queue. */
export interface Operation {
  readonly type: OperationType
  /** What it changes, each in one word: changes of the same go one after the other. */
  readonly subjects: readonly string[]
}

interface Rule {
  readonly method: string
  readonly path: RegExp
  readonly type: OperationType
}

/** The changes of the specification's list, and their like for key holders. What is not here is never kept for later. */
const RULES: readonly Rule[] = [
  { method: 'POST', path: /^\/api\/paste$/, type: 'create_paste' },
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

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

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
    case 'clear_expired_pastes':
    case 'clear_cache':
      return []
  }
}

/**
 * What a call is, if it is one that may wait for the line.
 * @param path below the server's address, without query
 */
export function operationOf(method: string, path: string, body: unknown): Operation | null {
  for (const { method: wanted, path: pattern, type } of RULES) {
    const match = method === wanted ? pattern.exec(path) : null
    if (match) return { type, subjects: subjectsOf(type, match[1], body) }
  }
  return null
}
