import { useSyncExternalStore } from 'react'
import { awayOwner, inheritableOwners, NOBODY, ownerOf } from './data-owner.ts'
import { getSession, getShownSession, onSessionEnd, subscribeSession } from './session.ts'

/** The current user, as a string for stored data. */
export const currentOwner = (): string => ownerOf(getSession())

/** Owner of the shown drafts: the current user, or the user of the expired session. */
export function draftOwner(): string {
  const shown = ownerOf(getShownSession())
  return shown === NOBODY ? awayOwner() : shown
}

/** Owners whose drafts the current user inherits. */
export const inheritedOwners = (): readonly string[] =>
  inheritableOwners().filter((owner) => owner !== draftOwner())

/** All owners whose drafts the current user may see. */
export const ownersHere = (): ReadonlySet<string> => new Set([draftOwner(), ...inheritedOwners()])

let shownOwner = draftOwner()
let changes = 0
subscribeSession(() => {
  const owner = draftOwner()
  if (owner !== shownOwner && !inheritableOwners().includes(shownOwner)) changes += 1
  shownOwner = owner
})

/** Changes when drafts must not be shown any more: used as a `key`. */
export const useDraftKey = (): number =>
  useSyncExternalStore(
    subscribeSession,
    () => changes,
    () => changes,
  )

interface Holding {
  /** The session expired, or ended in another tab. */
  readonly onAway?: () => void
  /** A user is logged in again: the same one, unless `onGone` was called before. */
  readonly onBack?: () => void
  /** The user has logged out here, or another one has logged in. */
  readonly onGone: (how: { isLogout: boolean }) => void
}

/** Calls back for state of a user that outlives an expired session: the same user may log in again. */
export function holdForOwner({ onAway, onBack, onGone }: Holding): void {
  let owner = currentOwner()
  let isAway = owner === NOBODY
  subscribeSession(() => {
    const now = currentOwner()
    if (now === NOBODY) {
      if (!isAway) onAway?.()
      isAway = true
      return
    }
    const isOther = owner !== NOBODY && owner !== now
    owner = now
    if (isOther) onGone({ isLogout: false })
    if (isAway) onBack?.()
    isAway = false
  })
  onSessionEnd((reason) => {
    if (reason !== 'logout') return
    owner = NOBODY
    onGone({ isLogout: true })
  })
}
