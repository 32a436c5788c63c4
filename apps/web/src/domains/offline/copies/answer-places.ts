import type { AnswerTable } from '../database.ts'

/** Where the answer of an address is kept, and how it is asked for. */
export interface AnswerPlace {
  readonly table: AnswerTable
  readonly key: string
  /** How long the server is waited for where an earlier answer is kept. */
  readonly timeoutMs: number
  /** Whether an earlier answer stands in for the server: not where the point is to ask it again. */
  readonly mayStandIn: boolean
}

const TEXT_TIMEOUT_MS = 4000
const FOLDER_TIMEOUT_MS = 8000

interface Rule {
  /** Its first group, if any, is the key. */
  readonly path: RegExp
  readonly table: AnswerTable
  readonly timeoutMs: number
  readonly key?: (path: string, query: URLSearchParams) => string
}

/** The query in one order, without what does not change the answer. */
function canonical(query: URLSearchParams): string {
  const kept = new URLSearchParams([...query].filter(([name]) => name !== 'refresh'))
  kept.sort()
  const text = kept.toString()
  return text && `?${text}`
}

const withQuery = (path: string, query: URLSearchParams) => `${path}${canonical(query)}`

/** Pages of a folder stand beside the whole of it. */
function folderKey(_path: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query)
  const folder = rest.get('path') ?? '/'
  rest.delete('path')
  return `${folder}${canonical(rest)}`
}

/**
 * Everything that may be kept; what is not listed is not. Not among them: API keys, backups, storage configs, tasks, single
 * files of a mount and whatever else consists of links that open something by themselves.
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

/** @param path below the app, beginning with `/api` */
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
