import { useSyncExternalStore } from 'react'
import { CREDENTIAL_KEYS } from './credentials.ts'
import { noteOwner, ownerOf } from './data-owner.ts'
import { writeStored } from '../../lib/browser/storage.ts'
import {
  type KeySession,
  type LoggedIn,
  NONE,
  personOf,
  readSession,
  type Session,
} from './stored-session.ts'

/** Why a session ended: the person asked, or gave the account other data, or the server no longer knows the credential. */
export type SessionEnd = 'logout' | 'account-changed' | 'admin-expired' | 'key-invalid'

const OWNER_AFTER = {
  logout: 'logs out',
  'account-changed': 'ends',
  'admin-expired': 'ends',
  'key-invalid': 'is gone',
} as const satisfies Record<SessionEnd, string>

const REVALIDATE_AFTER_MS = 5 * 60 * 1000

const factsOf = ({ key, permissions, info }: KeySession) => [
  key,
  permissions.text,
  permissions.file,
  permissions.mount,
  permissions.mount_read_only,
  info.id,
  info.name,
  info.basic_path,
]

function isSameKey(a: KeySession, b: KeySession): boolean {
  const others = factsOf(b)
  return factsOf(a).every((fact, index) => fact === others[index])
}

/** What somebody is at that needs the session. */
export interface Work {
  /** Asked when the session ends. */
  readonly isUnderWay: () => boolean
  /** Whether it is still there for those who do not log in again. */
  readonly stays: boolean
}

/** What was shown to somebody is nobody's to see any more. */
export interface SessionGone {
  /** Whether they have logged out, or somebody else is here; otherwise the session has ended under their hands. */
  readonly isLeft: boolean
}

/** The login is asked for over the page. */
export interface LoginAgain {
  /** The session that has ended; screens stay as they were in it until there is another one. `null` when it was given up. */
  readonly session: LoggedIn | null
  readonly reason: SessionEnd | null
  /** Whether something is lost by not logging in. */
  readonly isLosing: boolean
}

let current: Session = readSession()
let checkedAtMs = 0
let untoldEnd: SessionEnd | null = null
let again: LoginAgain | null = null
const works = new Set<Work>()
const listeners = new Set<() => void>()
const endListeners = new Set<(reason: SessionEnd) => void>()
const goneListeners = new Set<(gone: SessionGone) => void>()

/** Whose screens are shown: who is logged in, or was and is asked to do so again. */
export const getShownSession = (): Session => again?.session ?? current

const tellGone = (gone: SessionGone) => {
  for (const listener of goneListeners) listener(gone)
}

function publish(next: Session) {
  const before = getShownSession()
  current = next
  if (next.kind !== 'none') {
    again = null
    if (before.kind !== 'none' && personOf(before) !== personOf(next)) tellGone({ isLeft: true })
  }
  for (const listener of listeners) listener()
}

function store(next: Session) {
  const isKey = next.kind === 'apikey'
  writeStored(CREDENTIAL_KEYS.adminToken, next.kind === 'admin' ? next.token : null)
  writeStored(CREDENTIAL_KEYS.apiKey, isKey ? next.key : null)
  writeStored(CREDENTIAL_KEYS.permissions, isKey ? JSON.stringify(next.permissions) : null)
  writeStored(CREDENTIAL_KEYS.info, isKey ? JSON.stringify(next.info) : null)
  if (next.kind !== 'none') noteOwner(ownerOf(next), 'begins')
  publish(next)
}

/** What is to be asked for when a session ends: nothing, where nobody was at work, or who was has left. */
function loginAfter(session: LoggedIn, reason: SessionEnd | null): LoginAgain | null {
  if (reason === 'logout') return null
  const left = [...works].filter(({ isUnderWay }) => isUnderWay())
  return left.length === 0 ? null : { session, reason, isLosing: left.some(({ stays }) => !stays) }
}

/** Takes over what another tab stored. `null` is a cleared storage. */
function followOtherTabs(event: StorageEvent) {
  const isOurs = event.key === null || Object.values<string>(CREDENTIAL_KEYS).includes(event.key)
  if (!isOurs) return
  const next = readSession()
  const before = current
  if (next.kind !== 'none' || before.kind === 'none') {
    publish(next)
    return
  }
  again = loginAfter(before, null)
  publish(next)
  if (again === null) tellGone({ isLeft: true })
}
if (typeof window !== 'undefined') window.addEventListener('storage', followOtherTabs)

export const getSession = (): Session => current

/** Starts a session with a credential that the server has just accepted. */
export function startSession(next: LoggedIn): void {
  checkedAtMs = Date.now()
  store(next)
}

/** Takes over what the server says of the key now. What is on the screen is only asked for again when that is something else. */
export function renewSession(next: KeySession): void {
  if (current.kind === 'apikey' && isSameKey(current, next)) checkedAtMs = Date.now()
  else startSession(next)
}

/**
 * Forgets the credential and tells why. Does nothing when nobody is logged in. Where somebody was at work, the screens stay
 * as they are, and the login is asked for.
 */
export function endSession(reason: SessionEnd): void {
  if (current.kind === 'none') return
  checkedAtMs = 0
  again = loginAfter(current, reason)
  noteOwner(ownerOf(current), OWNER_AFTER[reason])
  store(NONE)
  // The login that is asked for says why.
  untoldEnd = again === null ? reason : null
  for (const listener of endListeners) listener(reason)
  if (again === null) tellGone({ isLeft: reason === 'logout' })
}

/** Asks for the login over the page, for those who are not logged in. */
export function askForLogin(): void {
  if (current.kind !== 'none' || again !== null) return
  again = { session: null, reason: null, isLosing: false }
  publish(NONE)
}

/** The login that was asked for is not wanted: screens are those of a visitor. */
export function goOnAsVisitor(): void {
  const before = getShownSession()
  // In another tab somebody has asked for it.
  const isLeft = again?.reason === null
  again = null
  if (before !== current) tellGone({ isLeft })
  publish(current)
}

const isSomebodyAtWork = () => [...works].some(({ isUnderWay }) => isUnderWay())

/** While it lasts, the end of a session takes nothing away. @returns what ends it. */
export function beginWork(work: Work): () => void {
  works.add(work)
  return () => {
    works.delete(work)
    // A page restored from history has nothing that a login would bring back. Re-rendered components restart at once.
    setTimeout(() => {
      if (again?.session && !isSomebodyAtWork()) goOnAsVisitor()
    })
  }
}

/** Why the latest session ended, once: it may have ended before there was a screen to say so. */
export function takeSessionEnd(): SessionEnd | null {
  const reason = untoldEnd
  untoldEnd = null
  return reason
}

/** Whether the credential was last checked more than five minutes ago. */
export const isSessionStale = (nowMs = Date.now()): boolean =>
  current.kind !== 'none' && nowMs - checkedAtMs > REVALIDATE_AFTER_MS

export function markSessionChecked(nowMs = Date.now()): void {
  checkedAtMs = nowMs
}

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function onSessionEnd(listener: (reason: SessionEnd) => void): () => void {
  endListeners.add(listener)
  return () => endListeners.delete(listener)
}

/** Tells when what was shown to somebody is nobody's to see: nobody waits for them to log in again, or another person has. */
export function onSessionGone(listener: (gone: SessionGone) => void): () => void {
  goneListeners.add(listener)
  return () => goneListeners.delete(listener)
}

export const getLoginAgain = (): LoginAgain | null => again
export const useLoginAgain = (): LoginAgain | null =>
  useSyncExternalStore(subscribeSession, getLoginAgain, getLoginAgain)

/** {@link getShownSession}, for what is drawn. */
export const useSession = (): Session =>
  useSyncExternalStore(subscribeSession, getShownSession, getShownSession)

/** Whether the session made the thing whose `created_by` this is, or may act as if it had. */
export function isOwner(session: Session, createdBy: string | null): boolean {
  if (session.kind === 'admin') return true
  if (session.kind !== 'apikey' || session.info.id === '') return false
  return createdBy === `apikey:${session.info.id}`
}
