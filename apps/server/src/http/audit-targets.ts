import type { FastifyRequest } from 'fastify'

/** Fields that name what a request is about, the most telling first. None of them is ever a secret. */
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

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | null => {
  if (typeof value === 'string') return value === '' ? null : value
  if (typeof value === 'number') return String(value)
  if (!isFields(value)) return null
  const { sourcePath, targetPath } = value
  if (typeof sourcePath === 'string' && typeof targetPath === 'string') return `${sourcePath} → ${targetPath}`
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

/** Where the drive is, without the rest of the address. */
const drivePathOf = (url: string): string =>
  decoded((url.split('?')[0] ?? '').replace(/^\/dav(?=\/|$)/, '')) || '/'

type Asked = Pick<FastifyRequest, 'url' | 'params' | 'query' | 'body'>

/** Which thing a request is about, in its own words: a path, a name or an id. `null` where it names none. */
export function targetOf({ url, params, query, body }: Asked): string | null {
  if (/^\/dav(?:[/?]|$)/.test(url)) return drivePathOf(url)
  const fromAddress = isFields(params)
    ? Object.values(params).filter((value) => typeof value === 'string' && value !== '')
    : []
  if (fromAddress.length > 0) return fromAddress.join('/')
  if (Array.isArray(body)) return listIn({ items: body })
  const renamed =
    isFields(body) && typeof body['oldPath'] === 'string' && typeof body['newPath'] === 'string'
      ? `${body['oldPath']} → ${body['newPath']}`
      : null
  return (
    renamed ??
    (isFields(body) ? (listIn(body) ?? nameIn(body)) : null) ??
    (isFields(query) ? nameIn(query) : null)
  )
}

/** What an answer calls the thing that was made. */
export function createdBy(payload: unknown): string | null {
  if (!isFields(payload)) return null
  const made = isFields(payload['data']) ? payload['data'] : payload
  for (const name of ['slug', 'id', 'taskId', 'task_id']) {
    const value = made[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}
