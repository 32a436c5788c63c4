import { otherServer } from '../../lib/server-address.ts'
import { readStored, writeStored } from '../../lib/browser/storage.ts'
import type { Session } from './stored-session.ts'

/** The owner while nobody is logged in. */
export const NOBODY = 'none'

const here = (person: string) => (otherServer === null ? person : `${person}@${otherServer}`)
const keyOwner = (id: string) => here(`apikey:${id}`)

/** Who a session is of, and where if not at the server of this page, in one word to keep with what is theirs. */
export function ownerOf(session: Session): string {
  if (session.kind === NOBODY) return NOBODY
  return session.kind === 'apikey' ? keyOwner(session.info.id) : here(session.kind)
}

const AWAY = 'away_owner'
const GONE = 'gone_owner'

/** Whose session has ended by itself, as long as nobody else has come: what they have typed is shown without it. */
export const awayOwner = (): string => readStored(AWAY) ?? NOBODY

/**
 * Whose text is for whoever comes next: a visitor's, that of a key of which the server has not said yet which one it is, and that
 * of a key that is gone, with which nobody can come back.
 */
export const inheritableOwners = (): readonly string[] => [
  ...new Set([NOBODY, keyOwner(''), readStored(GONE) ?? NOBODY]),
]

/** Notes that a session begins, or how it ends. */
export function noteOwner(owner: string, what: 'begins' | 'ends' | 'logs out' | 'is gone'): void {
  writeStored(AWAY, what === 'ends' || what === 'is gone' ? owner : null)
  if (what === 'is gone') writeStored(GONE, owner)
  if (what === 'logs out') writeStored(GONE, null)
}
