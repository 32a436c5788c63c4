import type { AnswerTable } from '../database.ts'

/** Describes where the response for a URL is cached and how it is requested. */
export interface AnswerPlace {
  readonly table: AnswerTable
  readonly key: string
  /** Timeout of the request if there is a cached response. */
  readonly timeoutMs: number
  /** Whether the app can use a cached response if the server does not respond. */
  readonly mayStandIn: boolean
}

const TEXT_TIMEOUT_MS = 4000
const FOLDER_TIMEOUT_MS = 8000

interface Rule {
  /** Matches request paths. Without `key`, the first group is the key of the cached response. */
  readonly path: RegExp
  readonly table: AnswerTable
  readonly timeoutMs: number
  readonly key?: (path: string, query: URLSearchParams) => string
}

/** Returns the query in a fixed order, without parameters that do not change the response. */
function canonical(query: URLSearchParams): string {
  const kept = new URLSearchParams([...query].filter(([name]) => name !== 'refresh'))
  kept.sort()
  const text = kept.toString()
  return text && `?${text}`
}

const withQuery = (path: string, query: URLSearchParams) => `${path}${canonical(query)}`

/**
 * Returns the cache key of a folder listing: the path of the folder plus the remaining query. Each page of a listing
 * has a separate key.
 */
function folderKey(_path: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query)
  const folder = rest.get('path') ?? '/'
  rest.delete('path')
  return `${folder}${canonical(rest)}`
}

/**
 * Requests whose responses can be cached. The list deliberately excludes API keys, backups, storage configs, tasks,
 * single files of a mount, and responses that mainly contain links that grant access.
 */
const RULES: readonly Rule[] = [
  { path: /^\/api\/paste\/([^/]+)$/, table: 'pastes', timeoutMs: TEXT_TIMEOUT_MS },
  { path: /^\/api\/public\/files\/([^/]+)$/, table: 'files', timeoutMs: TEXT_TIMEOUT_MS },
  { path: /^\/api\/fs\/list$/, table: 'directories', timeoutMs: FOLDER_TIMEOUT_MS, key: folderKey },
  { path: /^\/api\/admin\/(system-settings)$/, table: 'settings', timeoutMs: TEXT_TIMEOUT_MS },
  { path: /^\/api\/system\/(max-upload-size)$/, table: 'settings', timeoutMs: TEXT_TIMEOUT_MS },
  { path: /^\/api\/(version)$/, table: 'settings', timeoutMs: TEXT_TIMEOUT_MS },
  {
    path: /^\/api\/(?:admin|user)\/(?:pastes(?:\/[^/]+)?|files|mounts)$/,
    table: 'answers',
    timeoutMs: TEXT_TIMEOUT_MS,
    key: withQuery,
  },
  {
    path: /^\/api\/admin\/dashboard\/stats$/,
    table: 'answers',
    timeoutMs: TEXT_TIMEOUT_MS,
    key: withQuery,
  },
]

/**
 * Finds where a response is cached; `null` if it must not be cached.
 * @param path below the base path, starting with `/api`
 */
export function findPlace(path: string, query: URLSearchParams): AnswerPlace | null {
  for (const { path: pattern, table, timeoutMs, key } of RULES) {
    const match = pattern.exec(path)
    if (!match) continue
    const found = key ? key(path, query) : decode(match[1] ?? '')
    if (found === null) return null
    return { table, key: found, timeoutMs, mayStandIn: query.get('refresh') !== 'true' }
  }
  return null
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
