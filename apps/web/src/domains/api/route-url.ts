import { backend } from '../../lib/server-address.ts'

interface RouteParts {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
}

const asText = (value: unknown) => (typeof value === 'string' ? value : String(value))

/**
 * Returns the URL of a call. Fills in each `:name`, and appends the query. Repeats the key of an array for each value,
 * and omits absent values of the query.
 */
export function routeUrl(path: string, { params = {}, query = {} }: RouteParts = {}): string {
  const filled = path.replaceAll(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(asText(params[name])),
  )
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) search.append(key, asText(item))
    }
  }
  const text = search.toString()
  return `${backend}${filled}${text && `?${text}`}`
}
