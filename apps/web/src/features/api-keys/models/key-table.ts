import type { ApiKey } from '../api/api-keys.api.ts'

/** The server stores this expiry year for a key that never expires. */
const NEVER_YEAR = 9999

export const neverExpires = (key: ApiKey): boolean => new Date(key.expires_at).getUTCFullYear() >= NEVER_YEAR

export const hasExpired = (key: ApiKey, nowMs = Date.now()): boolean =>
  new Date(key.expires_at).getTime() <= nowMs

const SORT_VALUES = {
  name: (key: ApiKey) => key.name,
  created: (key: ApiKey) => key.created_at,
  expires: (key: ApiKey) => key.expires_at,
  used: (key: ApiKey) => key.last_used ?? '',
} as const
type KeySort = keyof typeof SORT_VALUES

const isSort = (text: string): text is KeySort => Object.hasOwn(SORT_VALUES, text)

export interface KeyTableFilter {
  readonly words: string
  readonly sortBy: string
  readonly order: 'asc' | 'desc'
}

/** Filters and sorts the keys in the browser, because there are few keys. */
export function arrangeKeys(keys: readonly ApiKey[], { words, sortBy, order }: KeyTableFilter): ApiKey[] {
  const wanted = words.trim().toLowerCase()
  const valueOf = SORT_VALUES[isSort(sortBy) ? sortBy : 'created']
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  const direction = order === 'asc' ? 1 : -1
  return keys
    .filter(
      (key) =>
        key.name.toLowerCase().includes(wanted) ||
        key.basic_path.toLowerCase().includes(wanted) ||
        key.key.toLowerCase() === wanted,
    )
    .toSorted((a, b) => direction * collator.compare(valueOf(a), valueOf(b)))
}
