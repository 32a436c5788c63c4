import * as z from 'zod/mini'
import { defineErrors } from '../core/errors.ts'
import { API_KEY_MAX_LENGTH, API_KEY_NAME_MAX_LENGTH, FOLDER_MAX_LENGTH } from '../core/limits.ts'
import { route } from '../core/route.ts'
import {
  bit,
  idParams,
  instant,
  optionalBoolean,
  parseInstant,
  trimmedText,
  wireBoolean,
} from '../core/wire.ts'
import { rules } from '../core/rules.ts'

export const apiKeyErrors = defineErrors('api_key', {
  not_found: 404,
  name_taken: 409,
  key_taken: 409,
  nothing_to_change: 400,
  invalid_path: 400,
})

/** Parsed expiry of a key: the route's default, no expiry, or a date. */
export type KeyExpiry =
  | { readonly kind: 'default' }
  | { readonly kind: 'never' }
  | { readonly kind: 'at'; readonly atMs: number }

const keepDefault: KeyExpiry = { kind: 'default' }

/**
 * Expiry of a key: ISO 8601 text, or `null` or `"never"` for no expiry. If absent or empty, the route's default
 * applies.
 */
const keyExpiry: z.ZodMiniType<KeyExpiry, string | null | undefined> = z._default(
  z.transform((value: unknown, context): KeyExpiry => {
    if (value === '') return keepDefault
    if (value === null || value === 'never') return { kind: 'never' }
    const atMs = typeof value === 'string' ? parseInstant(value) : undefined
    if (atMs !== undefined) return { kind: 'at', atMs }
    context.issues.push({
      code: 'custom',
      message: rules.keyExpiry,
      input: value,
    })
    return keepDefault
  }),
  keepDefault,
) as unknown as z.ZodMiniType<KeyExpiry, string | null | undefined>

const keyName = trimmedText(API_KEY_NAME_MAX_LENGTH)
const customKey = z.optional(
  z.nullable(z.string().check(z.maxLength(API_KEY_MAX_LENGTH), z.regex(/^[A-Za-z0-9_-]*$/, rules.customKey))),
)
const basicPath = z.string().check(z.maxLength(FOLDER_MAX_LENGTH))

const createApiKeyBody = z.object({
  name: keyName,
  expires_at: keyExpiry,
  text_permission: optionalBoolean,
  file_permission: optionalBoolean,
  mount_permission: optionalBoolean,
  mount_read_only: optionalBoolean,
  custom_key: customKey,
  basic_path: z.optional(z.nullable(basicPath)),
})

const updateApiKeyBody = z.object({
  name: z.optional(keyName),
  expires_at: keyExpiry,
  text_permission: z.optional(wireBoolean),
  file_permission: z.optional(wireBoolean),
  mount_permission: z.optional(wireBoolean),
  mount_read_only: z.optional(wireBoolean),
  basic_path: z.optional(basicPath),
})

const shared = {
  id: z.string(),
  name: z.string(),
  key: z.string(),
  key_masked: z.string(),
  basic_path: z.string(),
  created_at: instant,
  expires_at: instant,
}

export const apiKey = z.object({
  ...shared,
  text_permission: bit,
  file_permission: bit,
  mount_permission: bit,
  mount_read_only: bit,
  last_used: z.nullable(instant),
})

const createdApiKey = z.object({
  ...shared,
  text_permission: z.boolean(),
  file_permission: z.boolean(),
  mount_permission: z.boolean(),
  mount_read_only: z.boolean(),
})

export const apiKeyRoutes = {
  list: route({
    method: 'GET',
    path: '/api/admin/api-keys',
    access: 'admin',
    summary: 'All API keys, newest first, keys in full.',
    reply: z.object({ data: z.array(apiKey) }),
    errors: [],
  }),
  create: route({
    method: 'POST',
    path: '/api/admin/api-keys',
    access: 'admin',
    summary: 'Create an API key. It expires after one day unless told otherwise.',
    body: createApiKeyBody,
    reply: z.object({ data: createdApiKey }),
    status: 201,
    errors: [apiKeyErrors.name_taken, apiKeyErrors.key_taken, apiKeyErrors.invalid_path],
  }),
  update: route({
    method: 'PUT',
    path: '/api/admin/api-keys/:id',
    access: 'admin',
    summary: 'Change a key; absent fields keep their value. The key itself cannot change.',
    params: idParams,
    body: updateApiKeyBody,
    reply: z.object({}),
    errors: [
      apiKeyErrors.not_found,
      apiKeyErrors.name_taken,
      apiKeyErrors.nothing_to_change,
      apiKeyErrors.invalid_path,
    ],
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/admin/api-keys/:id',
    access: 'admin',
    summary: 'Delete a key. Its texts and files stay.',
    params: idParams,
    reply: z.object({ data: z.object({ name: z.string() }) }),
    errors: [apiKeyErrors.not_found],
  }),
}
