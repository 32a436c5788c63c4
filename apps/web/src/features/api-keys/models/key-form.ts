import { API_KEY_MAX_LENGTH, API_KEY_NAME_MAX_LENGTH } from '@dropleaf/contract'
import type { ApiKey, KeyRights } from '../api/api-keys.api.ts'

export const EXPIRY_CHOICES = ['day1', 'day7', 'day30', 'never', 'custom'] as const
export type ExpiryChoice = (typeof EXPIRY_CHOICES)[number]

/** Input of the key dialog. */
export interface KeyInput extends Record<string, unknown> {
  name: string
  customKey: string
  expiry: 'keep' | ExpiryChoice
  customDays: string
  text: boolean
  file: boolean
  mount: boolean
  isReadOnly: boolean
  basicPath: string
}

/** Defaults for the most common use: a device that shares texts and files. */
export const NEW_KEY: KeyInput = {
  name: '',
  customKey: '',
  expiry: 'day30',
  customDays: '90',
  text: true,
  file: true,
  mount: false,
  isReadOnly: false,
  basicPath: '/',
}

export const inputOf = (key: ApiKey): KeyInput => ({
  ...NEW_KEY,
  name: key.name,
  expiry: 'keep',
  text: key.text_permission === 1,
  file: key.file_permission === 1,
  mount: key.mount_permission === 1,
  isReadOnly: key.mount_read_only === 1,
  basicPath: key.basic_path,
})

export const hasRights = ({ text, file, mount }: KeyInput): boolean => text || file || mount

const DAY_MS = 24 * 3_600_000
const DAYS: Record<Exclude<ExpiryChoice, 'never' | 'custom'>, number> = { day1: 1, day7: 7, day30: 30 }
export const CUSTOM_DAYS_MAX = 3650

export interface KeyProblems {
  readonly name: 'missing' | 'tooLong' | null
  readonly customKey: 'characters' | 'tooLong' | null
  readonly customDays: 'notDays' | null
  readonly basicPath: 'notAbsolute' | 'climbs' | null
}

function findNameProblem(name: string): KeyProblems['name'] {
  if (name.trim() === '') return 'missing'
  return name.trim().length > API_KEY_NAME_MAX_LENGTH ? 'tooLong' : null
}

function findCustomKeyProblem(key: string): KeyProblems['customKey'] {
  if (!/^[A-Za-z0-9_-]*$/.test(key)) return 'characters'
  return key.length > API_KEY_MAX_LENGTH ? 'tooLong' : null
}

/** A key of this length cannot be guessed. */
const UNGUESSABLE_LENGTH = 12

/**
 * Whether a key that the user has typed is short enough to be guessed. The form still accepts such a key, because
 * existing scripts might use it.
 */
export const isGuessable = (customKey: string): boolean =>
  customKey !== '' && customKey.length < UNGUESSABLE_LENGTH

function findDaysProblem({ expiry, customDays }: KeyInput): KeyProblems['customDays'] {
  if (expiry !== 'custom') return null
  const isDays = /^\d{1,4}$/.test(customDays.trim())
  const days = Number(customDays)
  return isDays && days >= 1 && days <= CUSTOM_DAYS_MAX ? null : 'notDays'
}

function findPathProblem({ mount, basicPath }: KeyInput): KeyProblems['basicPath'] {
  if (!mount) return null
  if (!basicPath.trim().startsWith('/')) return 'notAbsolute'
  return basicPath.split('/').some((segment) => segment === '..' || segment === '.') ? 'climbs' : null
}

export const findKeyProblems = (input: KeyInput): KeyProblems => ({
  name: findNameProblem(input.name),
  customKey: findCustomKeyProblem(input.customKey),
  customDays: findDaysProblem(input),
  basicPath: findPathProblem(input),
})

function expiryOf({ expiry, customDays }: KeyInput, nowMs: number): string | undefined {
  if (expiry === 'keep') return undefined
  if (expiry === 'never') return 'never'
  const days = expiry === 'custom' ? Number(customDays) : DAYS[expiry]
  return new Date(nowMs + days * DAY_MS).toISOString()
}

/** Builds the request to the server. A key without permission for mounts gets the base path `/`. */
export function rightsOf(input: KeyInput, nowMs = Date.now()): KeyRights {
  const expiry = expiryOf(input, nowMs)
  return {
    name: input.name.trim(),
    text_permission: input.text,
    file_permission: input.file,
    mount_permission: input.mount,
    mount_read_only: input.mount && input.isReadOnly,
    basic_path: input.mount ? input.basicPath.trim() : '/',
    ...(expiry !== undefined && { expires_at: expiry }),
  }
}
