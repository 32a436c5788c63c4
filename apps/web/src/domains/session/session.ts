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

/** Why a session ended: a logout, changed account data, or a credential that the server rejects. */
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

/** Work that needs the session. */
export interface Work {
  /** Whether the work is unfinished. Called when the session ends. */
  readonly isUnderWay: () => boolean
  /** Whether the work survives without a new login. */
  readonly stays: boolean
}

/** Reports that the content of a session must no longer be shown. */
export interface SessionGone {
  /**
   * Whether the user has logged out, another user has logged in, or another tab has ended the session. `false` if the
   * session has expired, the API key is invalid, or the account was changed in this tab.
   */
  readonly isLeft: boolean
}

/** State of the login dialog over the page. */
export interface LoginAgain {
  /** The ended session. Screens show it until the dialog closes. `null` if the user opened the dialog. */
  readonly session: LoggedIn | null
  readonly reason: SessionEnd | null
  /** Whether work is lost without a login. */
  readonly isLosing: boolean
}

let current: Session = readSession()
let checkedAtMs = 0
let unreportedEnd: SessionEnd | null = null
let again: LoginAgain | null = null
const works = new Set<Work>()
const listeners = new Set<() => void>()
const endListeners = new Set<(reason: SessionEnd) => void>()
const goneListeners = new Set<(gone: SessionGone) => void>()

/** Returns the session that the screens show: the current one, or the expired one while the login dialog is open. */
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

/**
 * Returns the login dialog to open after the end of a session. Returns `null` after a logout, or if no work is
 * unfinished.
 */
function loginAfter(session: LoggedIn, reason: SessionEnd | null): LoginAgain | null {
  if (reason === 'logout') return null
  const left = [...works].filter(({ isUnderWay }) => isUnderWay())
  return left.length === 0 ? null : { session, reason, isLosing: left.some(({ stays }) => !stays) }
}

/**
 * Applies changes that another tab made to the stored session. The key of the event is `null` if the storage was
 * cleared.
 */
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

/** Updates the data of the API key from the server. Notifies listeners only if the data has changed. */
export function renewSession(next: KeySession): void {
  if (current.kind === 'apikey' && isSameKey(current, next)) checkedAtMs = Date.now()
  else startSession(next)
}

/**
 * Ends the session and removes the credential. If work is unfinished, the screens stay and the login dialog opens,
 * except after a logout. Does nothing if there is no session.
 */
export function endSession(reason: SessionEnd): void {
  if (current.kind === 'none') return
  checkedAtMs = 0
  again = loginAfter(current, reason)
  noteOwner(ownerOf(current), OWNER_AFTER[reason])
  store(NONE)
  // The login dialog shows the reason itself, so the reason is stored only if the dialog does not open.
  unreportedEnd = again === null ? reason : null
  for (const listener of endListeners) listener(reason)
  if (again === null) tellGone({ isLeft: reason === 'logout' })
}

/** Opens the login dialog for a visitor. */
export function askForLogin(): void {
  if (current.kind !== 'none' || again !== null) return
  again = { session: null, reason: null, isLosing: false }
  publish(NONE)
}

/** Continues as a visitor after the user has cancelled the login dialog. */
export function goOnAsVisitor(): void {
  const before = getShownSession()
  // The reason is `null` if another tab has ended the session.
  const isLeft = again?.reason === null
  again = null
  if (before !== current) tellGone({ isLeft })
  publish(current)
}

const isSomebodyAtWork = () => [...works].some(({ isUnderWay }) => isUnderWay())

/**
 * Registers work. While the work is unfinished, the screens stay when the session ends, except after a logout in this
 * tab.
 * @returns a function that unregisters the work
 */
export function beginWork(work: Work): () => void {
  works.add(work)
  return () => {
    works.delete(work)
    // This check runs later, because a component that is remounted registers its work again immediately.
    setTimeout(() => {
      if (again?.session && !isSomebodyAtWork()) goOnAsVisitor()
    })
  }
}

/**
 * Returns why the last session ended, and clears the reason. The reason is stored, because at that time no screen may
 * have been able to show it.
 */
export function takeSessionEnd(): SessionEnd | null {
  const reason = unreportedEnd
  unreportedEnd = null
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

/**
 * Calls the listener when the content of a session must no longer be shown: after the end of the session, a cancelled
 * login, or the login of another user.
 */
export function onSessionGone(listener: (gone: SessionGone) => void): () => void {
  goneListeners.add(listener)
  return () => goneListeners.delete(listener)
}

export const getLoginAgain = (): LoginAgain | null => again
export const useLoginAgain = (): LoginAgain | null =>
  useSyncExternalStore(subscribeSession, getLoginAgain, getLoginAgain)

/** {@link getShownSession} as a hook. */
export const useSession = (): Session =>
  useSyncExternalStore(subscribeSession, getShownSession, getShownSession)

/** Whether the session owns an object according to the object's `created_by`, or has the rights of its owner. */
export function isOwner(session: Session, createdBy: string | null): boolean {
  if (session.kind === 'admin') return true
  if (session.kind !== 'apikey' || session.info.id === '') return false
  return createdBy === `apikey:${session.info.id}`
}
