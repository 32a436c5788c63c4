import { useSyncExternalStore } from 'react'
import { CREDENTIAL_KEYS } from './credentials.ts'
import { writeStored } from './storage.ts'
import { type KeySession, NONE, readSession, type Session } from './stored-session.ts'

/** Why a session ended: the person asked, or gave the account other data, or the server no longer knows the credential. */
export type SessionEnd = 'logout' | 'account-changed' | 'admin-expired' | 'key-invalid'

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

let current: Session = readSession()
let checkedAtMs = 0
let untoldEnd: SessionEnd | null = null
const listeners = new Set<() => void>()
const endListeners = new Set<(reason: SessionEnd) => void>()

function publish(next: Session) {
  current = next
  for (const listener of listeners) listener()
}

function store(next: Session) {
  const isKey = next.kind === 'apikey'
  writeStored(CREDENTIAL_KEYS.adminToken, next.kind === 'admin' ? next.token : null)
  writeStored(CREDENTIAL_KEYS.apiKey, isKey ? next.key : null)
  writeStored(CREDENTIAL_KEYS.permissions, isKey ? JSON.stringify(next.permissions) : null)
  writeStored(CREDENTIAL_KEYS.info, isKey ? JSON.stringify(next.info) : null)
  publish(next)
}

/** Takes over what another tab stored. `null` is a cleared storage. */
function followOtherTabs(event: StorageEvent) {
  const isOurs = event.key === null || Object.values<string>(CREDENTIAL_KEYS).includes(event.key)
  if (isOurs) publish(readSession())
}
if (typeof window !== 'undefined') window.addEventListener('storage', followOtherTabs)

export const getSession = (): Session => current

/** Starts a session with a credential that the server has just accepted. */
export function startSession(next: Exclude<Session, { kind: 'none' }>): void {
  checkedAtMs = Date.now()
  store(next)
}

/** Takes over what the server says of the key now. What is on the screen is only asked for again when that is something else. */
export function renewSession(next: KeySession): void {
  if (current.kind === 'apikey' && isSameKey(current, next)) checkedAtMs = Date.now()
  else startSession(next)
}

/** Forgets the credential and tells why. Does nothing when nobody is logged in. */
export function endSession(reason: SessionEnd): void {
  if (current.kind === 'none') return
  checkedAtMs = 0
  store(NONE)
  untoldEnd = reason
  for (const listener of endListeners) listener(reason)
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

export const useSession = (): Session => useSyncExternalStore(subscribeSession, getSession, getSession)

/** Whether the session made the thing whose `created_by` this is, or may act as if it had. */
export function isOwner(session: Session, createdBy: string | null): boolean {
  if (session.kind === 'admin') return true
  if (session.kind !== 'apikey' || session.info.id === '') return false
  return createdBy === `apikey:${session.info.id}`
}
