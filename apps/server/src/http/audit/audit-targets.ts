import type { AuditAction } from '@dropleaf/contract'
import type { FastifyRequest } from 'fastify'
import { withoutBasePath } from '../../lib/urls.ts'

/** Fields that name the target of a request, the most specific first. None of them contains a secret. */
const SINGLE = [
  'path',
  'oldPath',
  'mount_path',
  'target_path',
  'name',
  'filename',
  'fileName',
  'file_name',
  'slug',
  'newUsername',
  'file_id',
  'fileId',
  'id',
]
const LISTS = ['paths', 'items', 'files', 'ids']
const LISTED_MAX = 3

/** Maximum length of each of two paths, so that both fit into the target. */
const PATH_MAX_LENGTH = 240

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const endOf = (path: string): string =>
  path.length > PATH_MAX_LENGTH ? `…${path.slice(1 - PATH_MAX_LENGTH)}` : path

const pairOf = (from: string, to: string): string => `${endOf(from)} → ${endOf(to)}`

const textOf = (value: unknown): string | null => {
  if (typeof value === 'string') return value === '' ? null : value
  if (typeof value === 'number') return String(value)
  if (!isFields(value)) return null
  const { sourcePath, targetPath } = value
  if (typeof sourcePath === 'string' && typeof targetPath === 'string') return pairOf(sourcePath, targetPath)
  return nameIn(value)
}

function nameIn(fields: Fields): string | null {
  for (const name of SINGLE) {
    const value = fields[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}

function listIn(fields: Fields): string | null {
  for (const name of LISTS) {
    const value = fields[name]
    if (!Array.isArray(value) || value.length === 0) continue
    const shown = value.slice(0, LISTED_MAX).map(textOf)
    const rest = value.length - LISTED_MAX
    return [...shown.filter((text) => text !== null), ...(rest > 0 ? [`+${rest}`] : [])].join(', ')
  }
  return null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the path within the network drive. */
const drivePathOf = (url: string): string =>
  decoded((url.split('?')[0] ?? '').replace(/^\/dav(?=\/|$)/, '')) || '/'

/** Returns the destination path without its host part, which can contain a user name and a password. */
function destinationOf({ headers }: Pick<FastifyRequest, 'headers'>, basePath: string): string | null {
  const { destination } = headers
  if (typeof destination !== 'string') return null
  const path = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?(\/[^?#]*)/i.exec(destination.trim())?.[1]
  return path === undefined ? null : drivePathOf(withoutBasePath(path, basePath))
}

/** Returns the names of the fields to change, never their values. */
const namesIn = (fields: Fields): string | null =>
  Object.entries(fields)
    .filter(([name, value]) => value !== undefined && /^\w{1,64}$/.test(name))
    .map(([name]) => name)
    .join(', ') || null

type Asked = Pick<FastifyRequest, 'url' | 'params' | 'query' | 'body' | 'headers'>

/**
 * Returns the target that the request names: a path, a name, an id, or the names of the settings to change. `null` if
 * there is none.
 */
export function targetOf(
  request: Asked,
  { action, basePath }: { action: AuditAction; basePath: string },
): string | null {
  const { url, params, query, body } = request
  if (/^\/dav(?:[/?]|$)/.test(url)) {
    const path = drivePathOf(url)
    const isPair = action === 'drive.copy' || action === 'drive.move'
    const destination = isPair ? destinationOf(request, basePath) : null
    return destination === null ? path : pairOf(path, destination)
  }
  if (action === 'settings.change') return isFields(body) ? namesIn(body) : null
  const fromAddress = isFields(params)
    ? Object.values(params).filter((value) => typeof value === 'string' && value !== '')
    : []
  if (fromAddress.length > 0) return fromAddress.join('/')
  if (Array.isArray(body)) return listIn({ items: body })
  const renamed =
    isFields(body) && typeof body['oldPath'] === 'string' && typeof body['newPath'] === 'string'
      ? pairOf(body['oldPath'], body['newPath'])
      : null
  return (
    renamed ??
    (isFields(body) ? (listIn(body) ?? nameIn(body)) : null) ??
    (isFields(query) ? nameIn(query) : null)
  )
}

/** Returns the ids in a request (from its URL, or the first ids of a list) and their total number. */
export function idsOf({ params, body }: Pick<Asked, 'params' | 'body'>): {
  ids: readonly string[]
  total: number
} {
  const single = isFields(params) ? (params['id'] ?? params['configId']) : undefined
  if (typeof single === 'string') return { ids: [single], total: 1 }
  const listed = isFields(body) && Array.isArray(body['ids']) ? body['ids'] : []
  return { ids: listed.filter((id) => typeof id === 'string').slice(0, LISTED_MAX), total: listed.length }
}

/** Formats names in the same way as a list of ids. Returns `null` if no name is known. */
export function namesOf(names: readonly string[], total: number): string | null {
  if (names.length === 0) return null
  return [...names, ...(total > names.length ? [`+${total - names.length}`] : [])].join(', ')
}

/** Returns the name or id that a response gives to the created or deleted resource. */
export function createdBy(payload: unknown): string | null {
  if (!isFields(payload)) return null
  const made = isFields(payload['data']) ? payload['data'] : payload
  for (const name of ['slug', 'id', 'taskId', 'task_id', 'name']) {
    const value = made[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}
