import { otherServer } from '../../lib/server-address.ts'
import { readStored, writeStored } from '../../lib/browser/storage.ts'
import type { Session } from './stored-session.ts'

/** Owner of data while no user is logged in. */
export const NOBODY = 'none'

const here = (person: string) => (otherServer === null ? person : `${person}@${otherServer}`)
const keyOwner = (id: string) => here(`apikey:${id}`)

/**
 * Returns the owner of a session as a string for stored data. The string includes the URL of the server if the app
 * uses a server of another origin.
 */
export function ownerOf(session: Session): string {
  if (session.kind === NOBODY) return NOBODY
  return session.kind === 'apikey' ? keyOwner(session.info.id) : here(session.kind)
}

const AWAY = 'away_owner'
const GONE = 'gone_owner'

/**
 * Returns the owner of an expired session until the next login. The app still shows the drafts of this owner.
 */
export const awayOwner = (): string => readStored(AWAY) ?? NOBODY

/**
 * Returns the owners whose drafts the next user inherits: visitors, an API key that the server has not identified, and
 * a deleted API key.
 */
export const inheritableOwners = (): readonly string[] => [
  ...new Set([NOBODY, keyOwner(''), readStored(GONE) ?? NOBODY]),
]

/** Records that a session starts, or how it ends. */
export function noteOwner(owner: string, what: 'begins' | 'ends' | 'logs out' | 'is gone'): void {
  writeStored(AWAY, what === 'ends' || what === 'is gone' ? owner : null)
  if (what === 'is gone') writeStored(GONE, owner)
  if (what === 'logs out') writeStored(GONE, null)
}
