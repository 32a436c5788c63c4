import { CREDENTIAL_KEYS } from './credentials.ts'
import { readStored, readStoredJson } from '../../lib/browser/storage.ts'

export interface KeyPermissions {
  readonly text: boolean
  readonly file: boolean
  readonly mount: boolean
  readonly mount_read_only: boolean
}

export interface KeyInfo {
  readonly id: string
  readonly name: string
  readonly basic_path: string
}

export interface KeySession {
  readonly kind: 'apikey'
  readonly key: string
  readonly permissions: KeyPermissions
  readonly info: KeyInfo
}

export type Session =
  | { readonly kind: 'none' }
  | { readonly kind: 'admin'; readonly token: string }
  | KeySession

export type LoggedIn = Exclude<Session, { kind: 'none' }>

export type Permission = 'text' | 'file' | 'mount'

export const NONE: Session = { kind: 'none' }

const textOr = (fallback: string, value: unknown) => (typeof value === 'string' ? value : fallback)

export function readSession(): Session {
  const token = readStored(CREDENTIAL_KEYS.adminToken)
  if (token) return { kind: 'admin', token }
  const key = readStored(CREDENTIAL_KEYS.apiKey)
  if (!key) return NONE
  const permissions = (readStoredJson(CREDENTIAL_KEYS.permissions) ?? {}) as Partial<KeyPermissions>
  const info = (readStoredJson(CREDENTIAL_KEYS.info) ?? {}) as Partial<KeyInfo>
  return {
    kind: 'apikey',
    key,
    permissions: {
      text: permissions.text === true,
      file: permissions.file === true,
      mount: permissions.mount === true,
      mount_read_only: permissions.mount_read_only === true,
    },
    info: {
      id: textOr('', info.id),
      name: textOr('', info.name),
      basic_path: textOr('/', info.basic_path),
    },
  }
}

/** Whether the session has a permission. The administrator has all of them. */
export function can(session: Session, permission: Permission): boolean {
  if (session.kind === 'admin') return true
  return session.kind === 'apikey' && session.permissions[permission]
}

/** Returns a React `key` that is the same for all sessions of the administrator or of one API key. */
export const personOf = (session: Session): string =>
  session.kind === 'apikey' ? `key ${session.info.id}` : session.kind
