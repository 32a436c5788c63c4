import { useSyncExternalStore } from 'react'
import { awayOwner, inheritableOwners, NOBODY, ownerOf } from './data-owner.ts'
import { getSession, getShownSession, onSessionEnd, subscribeSession } from './session.ts'

/** Returns the current user as a string for stored data. */
export const currentOwner = (): string => ownerOf(getSession())

/** Returns the owner of the shown drafts: the current user, or the user of the expired session. */
export function draftOwner(): string {
  const shown = ownerOf(getShownSession())
  return shown === NOBODY ? awayOwner() : shown
}

export const inheritedOwners = (): readonly string[] =>
  inheritableOwners().filter((owner) => owner !== draftOwner())

/** Returns all owners whose drafts the current user is allowed to see. */
export const ownersHere = (): ReadonlySet<string> => new Set([draftOwner(), ...inheritedOwners()])

let shownOwner = draftOwner()
let changes = 0
subscribeSession(() => {
  const owner = draftOwner()
  if (owner !== shownOwner && !inheritableOwners().includes(shownOwner)) changes += 1
  shownOwner = owner
})

/**
 * Returns a number for use as a React `key`. The number changes when drafts of the previous user must no longer be
 * shown.
 */
export const useDraftKey = (): number =>
  useSyncExternalStore(
    subscribeSession,
    () => changes,
    () => changes,
  )

interface Holding {
  /** Called when the session expires or ends in another tab, and at a logout, before `onGone`. */
  readonly onAway?: () => void
  /** Called after a login. The user is the same as before, unless `onGone` was called first. */
  readonly onBack?: () => void
  /** Called after a logout in this tab, or after another user has logged in. */
  readonly onGone: (how: { isLogout: boolean }) => void
}

/**
 * Calls the listeners when the session changes, for code that holds the state of a user. The state survives an
 * expired session, because the same user can log in again.
 */
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
