import type { apiKeyRoutes } from '@dropleaf/contract'
import {
  API_KEY_DEFAULT_SECONDS,
  API_KEY_GENERATED_LENGTH,
  apiKeyErrors,
  type KeyExpiry,
  type ParsedOf,
} from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { isUniqueViolation, unlessInTrouble, violatedConstraint } from '../../../db/database.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId, randomText } from '../../../lib/ids.ts'
import { parseVirtualPath, type VirtualPath } from '../../../lib/paths.ts'
import { keyIdOfCreator, type KeyActor } from './actor.models.ts'
import { apiKeysRepository } from './api-keys.repository.ts'
import type { ApiKeyRow } from './api-keys.table.ts'

type CreateInput = ParsedOf<typeof apiKeyRoutes.create, 'body'>
type UpdateInput = ParsedOf<typeof apiKeyRoutes.update, 'body'>

/** Minimum interval between updates of an API key's last-used time. */
const LAST_USED_EVERY_MS = 60_000

export const apiKeySealContext = (id: string): string => `api-key:${id}`

export interface ApiKeyWithSecret {
  readonly row: ApiKeyRow
  readonly key: string
}

function requireBasicPath(text: string): VirtualPath {
  const path = parseVirtualPath(text.trim() === '' ? '/' : text.trim())
  if (path === null) throw new AppError(apiKeyErrors.invalid_path)
  return path
}

function expiryOf(expiry: KeyExpiry, defaultMs: number | null): number | null {
  if (expiry.kind === 'never') return null
  return expiry.kind === 'at' ? expiry.atMs : defaultMs
}

function translateConflict(error: unknown): unknown {
  if (!isUniqueViolation(error)) return error
  const isKey = violatedConstraint(error).includes('fingerprint')
  return new AppError(isKey ? apiKeyErrors.key_taken : apiKeyErrors.name_taken, { cause: error })
}

/** Returns all API keys including their secrets, newest first. */
export async function listApiKeys(ctx: Needs<'db' | 'secrets'>): Promise<ApiKeyWithSecret[]> {
  const rows = await apiKeysRepository(ctx.db).list()
  return rows.map((row) => ({ row, key: ctx.secrets.open(row.key_sealed, apiKeySealContext(row.id)) }))
}

/** @throws {AppError} `api_key.name_taken`, `api_key.key_taken`, `api_key.invalid_path` */
export async function createApiKey(
  ctx: Needs<'clock' | 'db' | 'secrets'>,
  input: CreateInput,
): Promise<ApiKeyWithSecret> {
  const id = newId()
  const key = input.custom_key || randomText(API_KEY_GENERATED_LENGTH)
  const nowMs = ctx.clock.nowMs()
  const row: ApiKeyRow = {
    id,
    name: input.name,
    key_fingerprint: ctx.secrets.fingerprint(key),
    key_sealed: ctx.secrets.seal(key, apiKeySealContext(id)),
    text_permission: Number(input.text_permission),
    file_permission: Number(input.file_permission),
    mount_permission: Number(input.mount_permission),
    mount_read_only: Number(input.mount_read_only),
    basic_path: requireBasicPath(input.basic_path ?? '/'),
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    expires_at_ms: expiryOf(input.expires_at, nowMs + API_KEY_DEFAULT_SECONDS * 1000),
    last_used_at_ms: null,
  }
  await apiKeysRepository(ctx.db)
    .insert(row)
    .catch((error: unknown) => Promise.reject(translateConflict(error)))
  return { row, key }
}

/** @throws {AppError} `api_key.not_found`, `api_key.nothing_to_change`, `api_key.name_taken`, `api_key.invalid_path` */
export async function updateApiKey(
  ctx: Needs<'clock' | 'db'>,
  id: string,
  input: UpdateInput,
): Promise<void> {
  const repository = apiKeysRepository(ctx.db)
  if (!(await repository.findById(id))) throw new AppError(apiKeyErrors.not_found)
  const flags = ['text_permission', 'file_permission', 'mount_permission', 'mount_read_only'] as const
  const change = {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...Object.fromEntries(
      flags.flatMap((flag) => (input[flag] === undefined ? [] : [[flag, Number(input[flag])]])),
    ),
    ...(input.basic_path === undefined ? {} : { basic_path: requireBasicPath(input.basic_path) }),
    ...(input.expires_at.kind === 'default' ? {} : { expires_at_ms: expiryOf(input.expires_at, null) }),
  }
  if (Object.keys(change).length === 0) throw new AppError(apiKeyErrors.nothing_to_change)
  await repository
    .update(id, { ...change, updated_at_ms: ctx.clock.nowMs() })
    .catch((error: unknown) => Promise.reject(translateConflict(error)))
}

/** Deletes an API key. @returns the key's name. @throws {AppError} `api_key.not_found` */
export async function deleteApiKey(ctx: Needs<'db'>, id: string): Promise<string> {
  const repository = apiKeysRepository(ctx.db)
  const row = await repository.findById(id)
  if (!row || !(await repository.delete(id))) throw new AppError(apiKeyErrors.not_found)
  return row.name
}

/**
 * Finds an API key and returns its actor: `null` if the key has expired, `unknown` if it does not exist. Also updates
 * the key's last-used time, at most once a minute.
 */
export async function findKeyActor(
  ctx: Needs<'clock' | 'db' | 'secrets'>,
  key: string,
): Promise<KeyActor | null | 'unknown'> {
  const repository = apiKeysRepository(ctx.db)
  const row = await repository.findByFingerprint(ctx.secrets.fingerprint(key))
  if (!row) return 'unknown'
  const nowMs = ctx.clock.nowMs()
  if (row.expires_at_ms !== null && row.expires_at_ms <= nowMs) return null
  if (row.last_used_at_ms === null || nowMs - row.last_used_at_ms >= LAST_USED_EVERY_MS)
    await unlessInTrouble(repository.update(row.id, { last_used_at_ms: nowMs }))
  return actorOfRow(row)
}

/**
 * Finds an API key by id and returns its actor, without updating the key's last-used time.
 * @returns `null` if the key does not exist or has expired
 */
export async function findKeyActorById(ctx: Needs<'clock' | 'db'>, id: string): Promise<KeyActor | null> {
  const row = await apiKeysRepository(ctx.db).findById(id)
  if (!row || (row.expires_at_ms !== null && row.expires_at_ms <= ctx.clock.nowMs())) return null
  return actorOfRow(row)
}

const actorOfRow = (row: ApiKeyRow): KeyActor => ({
  kind: 'key',
  id: row.id,
  name: row.name,
  basicPath: row.basic_path as VirtualPath,
  canText: row.text_permission === 1,
  canFile: row.file_permission === 1,
  canMount: row.mount_permission === 1,
  isMountReadOnly: row.mount_read_only === 1,
})

/**
 * Loads the names of the API keys among the given creators.
 * @returns a function that returns the name of a creator's API key; `undefined` for an administrator or a deleted key
 */
export async function keyNamesOf(
  ctx: Needs<'db'>,
  creators: ReadonlyArray<string | null>,
): Promise<(creator: string | null) => string | undefined> {
  const ids = [...new Set(creators.map(keyIdOfCreator).filter((id) => id !== null))]
  const names = await apiKeysRepository(ctx.db).namesOf(ids)
  return (creator) => names.get(keyIdOfCreator(creator) ?? '')
}

export const countApiKeys = (ctx: Needs<'db'>): Promise<number> => apiKeysRepository(ctx.db).count()
