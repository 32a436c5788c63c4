import { useSyncExternalStore } from 'react'
import { awayOwner, inheritableOwners, NOBODY, ownerOf } from './data-owner.ts'
import { getSession, getShownSession, onSessionEnd, subscribeSession } from './session.ts'

/** Who is logged in, in one word to keep with what is theirs. */
export const currentOwner = (): string => ownerOf(getSession())

/** Whose drafts are shown: who is logged in, or was until the session ended by itself. */
export function draftOwner(): string {
  const shown = ownerOf(getShownSession())
  return shown === NOBODY ? awayOwner() : shown
}

/** Whose drafts go to whoever is here, beside their own. */
export const inheritedOwners = (): readonly string[] =>
  inheritableOwners().filter((owner) => owner !== draftOwner())

/** Everybody whose drafts whoever is here may have: their own, and what they inherit. */
export const ownersHere = (): ReadonlySet<string> => new Set([draftOwner(), ...inheritedOwners()])

let shownOwner = draftOwner()
let changes = 0
subscribeSession(() => {
  const owner = draftOwner()
  if (owner !== shownOwner && !inheritableOwners().includes(shownOwner)) changes += 1
  shownOwner = owner
})

/** Another one when what has been typed is not for those who are here now: the `key` of what shows it. */
export const useDraftKey = (): number =>
  useSyncExternalStore(
    subscribeSession,
    () => changes,
    () => changes,
  )

interface Holding {
  /** The session ran out, or ended in another tab. */
  readonly onAway?: () => void
  /** Somebody is logged in again: the same person, unless `onGone` came first. */
  readonly onBack?: () => void
  /** The person has logged out here, or somebody else is logged in now. */
  readonly onGone: (how: { isLogout: boolean }) => void
}

/** What a tab holds for a person outlives a session that merely ran out: the same person may come back to it. */
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
