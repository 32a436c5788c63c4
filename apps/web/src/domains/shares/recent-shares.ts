import { useSyncExternalStore } from 'react'
import { NOBODY } from '../session/data-owner.ts'
import { draftOwner } from '../session/session-owner.ts'
import { subscribeSession } from '../session/session.ts'
import { readStoredJson, writeStored } from '../../lib/browser/storage.ts'

const MAX_KEPT = 10

/** A share that was created on this device. Passwords are not stored. */
export interface RecentShare {
  readonly slug: string
  /** Absent for a text. */
  readonly kind?: 'bundle'
  /** Id of an end-to-end encrypted bundle; absent for other shares. */
  readonly sealedId?: string
  readonly remark: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly hasPassword: boolean
  /** First words of the text, or a path. Absent if the share is encrypted, has a password or requires confirmation. */
  readonly title?: string
}

const isRecentShare = (value: unknown): value is RecentShare =>
  typeof value === 'object' && value !== null && 'slug' in value && typeof value.slug === 'string'

/** Returns a separate storage key for each user of this device. */
const keyOf = (owner: string) => (owner === NOBODY ? 'recent_shares' : `recent_shares:${owner}`)

function read(owner: string): readonly RecentShare[] {
  const stored = readStoredJson(keyOf(owner))
  return Array.isArray(stored) ? stored.filter(isRecentShare).slice(0, MAX_KEPT) : []
}

let owner = draftOwner()
let shares = read(owner)
const listeners = new Set<() => void>()

function publish(next: readonly RecentShare[]) {
  shares = next
  for (const listener of listeners) listener()
}

function keep(next: readonly RecentShare[]) {
  writeStored(keyOf(owner), next.length > 0 ? JSON.stringify(next) : null)
  publish(next)
}

subscribeSession(() => {
  if (owner === draftOwner()) return
  owner = draftOwner()
  publish(read(owner))
})

const isSameShare = (one: RecentShare, other: RecentShare) =>
  one.slug === other.slug && one.kind === other.kind

export function rememberShare(share: RecentShare): void {
  keep([share, ...read(owner).filter((other) => !isSameShare(share, other))].slice(0, MAX_KEPT))
}

export const forgetShares = (): void => keep([])

export const useRecentShares = (): readonly RecentShare[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shares,
  )
