import { currentOwner } from '../../domains/session/session-owner.ts'
import { readStoredJson, writeStored } from '../../lib/browser/storage.ts'

const KEY = 'palette_recent'
const KEPT = 5

/** A recently chosen item with its URL and title. The id identifies a command. */
export interface RecentItem {
  readonly id: string
  readonly title: string
  readonly detail: string
  /** URL of a search result within the app; `null` for a command. */
  readonly path: string | null
}

const isRecent = (value: unknown): value is RecentItem => {
  const item = value as Partial<RecentItem> | null
  return (
    typeof item?.id === 'string' &&
    typeof item.title === 'string' &&
    typeof item.detail === 'string' &&
    (item.path === null || (typeof item.path === 'string' && item.path.startsWith('/')))
  )
}

/** Recent choices of the user on this device, the latest first. */
export function readRecent(): readonly RecentItem[] {
  const stored = readStoredJson(KEY) as { owner?: unknown; items?: unknown } | null
  if (stored?.owner !== currentOwner() || !Array.isArray(stored.items)) return []
  return stored.items.filter(isRecent).slice(0, KEPT)
}

export function rememberItem(item: RecentItem): void {
  const items = [item, ...readRecent().filter(({ id }) => id !== item.id)].slice(0, KEPT)
  writeStored(KEY, JSON.stringify({ owner: currentOwner(), items }))
}

/** Clears the recent items, so that the next user does not see them. */
export const forgetRecent = (): void => {
  writeStored(KEY, null)
}
