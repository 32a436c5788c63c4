import { useSyncExternalStore } from 'react'
import { onSessionEnd } from '../../lib/session.ts'
import { readStoredJson, writeStored } from '../../lib/storage.ts'

const KEY = 'recent_shares'
const MAX_KEPT = 10

/** A share made on this device. Passwords are not kept. */
export interface RecentShare {
  readonly slug: string
  readonly remark: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly hasPassword: boolean
}

const isRecentShare = (value: unknown): value is RecentShare =>
  typeof value === 'object' && value !== null && 'slug' in value && typeof value.slug === 'string'

function read(): readonly RecentShare[] {
  const stored = readStoredJson(KEY)
  return Array.isArray(stored) ? stored.filter(isRecentShare).slice(0, MAX_KEPT) : []
}

let shares = read()
const listeners = new Set<() => void>()

function publish(next: readonly RecentShare[]) {
  shares = next
  writeStored(KEY, next.length > 0 ? JSON.stringify(next) : null)
  for (const listener of listeners) listener()
}

export function rememberShare(share: RecentShare): void {
  publish([share, ...read().filter((other) => other.slug !== share.slug)].slice(0, MAX_KEPT))
}

export const forgetShares = (): void => publish([])

// The next person at this device need not see them.
onSessionEnd((reason) => {
  if (reason === 'logout') forgetShares()
})

export const useRecentShares = (): readonly RecentShare[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shares,
  )
