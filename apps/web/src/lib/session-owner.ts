import { otherServer } from './backend.ts'
import { getSession, onSessionEnd, subscribeSession } from './session.ts'

/** The owner while nobody is logged in. */
export const NOBODY = 'none'

/** Who is logged in, and where if not at the server of this page, in one word to keep with what is theirs. */
export function currentOwner(): string {
  const session = getSession()
  if (session.kind === NOBODY) return NOBODY
  const person = session.kind === 'apikey' ? `apikey:${session.info.id}` : session.kind
  return otherServer === null ? person : `${person}@${otherServer}`
}

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
