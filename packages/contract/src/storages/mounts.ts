import * as z from 'zod/mini'
import { authErrors } from '../administration/auth.ts'
import { defineErrors } from '../core/errors.ts'
import {
  CACHE_TTL_MAX_SECONDS,
  DEFAULT_CACHE_TTL_SECONDS,
  MOUNT_NAME_MAX_LENGTH,
  MOUNT_PATH_MAX_LENGTH,
  REMARK_MAX_LENGTH,
  SORT_ORDER_LIMIT,
} from '../core/limits.ts'
import { route } from '../core/route.ts'
import {
  bit,
  defaultInt,
  idParams,
  instant,
  optionalText,
  trimmedText,
  whenPresent,
  wireBoolean,
  wireInt,
} from '../core/wire.ts'
import { rules } from '../core/rules.ts'

export const mountErrors = defineErrors('mount', {
  not_found: 404,
  path_invalid: 400,
  /** The first segment of the path is reserved for the system or the application. */
  path_reserved: 400,
  path_taken: 409,
  /** The storage config does not exist. */
  storage_unknown: 400,
})

/** First segments that mount paths cannot have, compared case-insensitively. */
const RESERVED_MOUNT_SEGMENTS = [
  'bin',
  'etc',
  'lib',
  'root',
  'sys',
  'proc',
  'dev',
  'tmp',
  'opt',
  'var',
  'api',
  'admin',
  'user',
  'auth',
  'public',
  'static',
  'assets',
  'upload',
] as const

const RESERVED: ReadonlySet<string> = new Set(RESERVED_MOUNT_SEGMENTS)

/** Matches paths whose segments consist of ASCII letters, digits, `_`, `-`, and visible non-ASCII characters. */
const SEGMENTS = /^(?:\/(?:[A-Za-z0-9_-]|(?=[^\p{C}\p{Z}])[\u0080-\u{10ffff}])+)+$/u

export type MountPathProblem =
  | 'missing'
  | 'noSlash'
  | 'root'
  | 'doubleSlash'
  | 'trailingSlash'
  | 'tooLong'
  | 'characters'
  | 'reserved'

/** Returns the first rule that a mount path violates; `null` if the path is valid. */
export function findMountPathProblem(path: string): MountPathProblem | null {
  if (path === '') return 'missing'
  if (!path.startsWith('/')) return 'noSlash'
  if (path === '/') return 'root'
  if (path.includes('//')) return 'doubleSlash'
  if (path.endsWith('/')) return 'trailingSlash'
  if (path.length > MOUNT_PATH_MAX_LENGTH) return 'tooLong'
  if (!SEGMENTS.test(path)) return 'characters'
  return RESERVED.has(path.split('/')[1]?.toLowerCase() ?? '') ? 'reserved' : null
}

/** Storage type of all mounts in the API, regardless of the provider. */
export const MOUNT_STORAGE_TYPE = 'S3'
const storageType = z.literal(MOUNT_STORAGE_TYPE, rules.mountStorageType)

const name = trimmedText(MOUNT_NAME_MAX_LENGTH)
const configId = trimmedText(200)
/** Accepts longer paths than allowed, so that a more specific rule rejects them. */
const mountPath = z.string().check(z.minLength(1), z.maxLength(2048))
const remark = optionalText(REMARK_MAX_LENGTH)
const cacheTtlBounds = { min: 0, max: CACHE_TTL_MAX_SECONDS }
const sortBounds = { min: -SORT_ORDER_LIMIT, max: SORT_ORDER_LIMIT }

const createMountBody = z.object({
  name,
  storage_type: storageType,
  storage_config_id: configId,
  /** Path of the mount, like `/photos` or `/team/photos`. */
  mount_path: mountPath,
  remark,
  is_active: z._default(wireBoolean, true),
  sort_order: defaultInt(sortBounds, 0),
  /** Cache time of listings in seconds; 0 disables the cache. */
  cache_ttl: defaultInt(cacheTtlBounds, DEFAULT_CACHE_TTL_SECONDS),
})

const updateMountBody = z.object({
  name: z.optional(name),
  storage_type: z.optional(storageType),
  storage_config_id: z.optional(configId),
  mount_path: z.optional(mountPath),
  remark: whenPresent(remark),
  is_active: z.optional(wireBoolean),
  sort_order: z.optional(wireInt(sortBounds)),
  cache_ttl: z.optional(wireInt(cacheTtlBounds)),
})

const mount = z.object({
  id: z.string(),
  name: z.string(),
  storage_type: z.string(),
  storage_config_id: z.nullable(z.string()),
  mount_path: z.string(),
  remark: z.nullable(z.string()),
  is_active: bit,
  created_by: z.string(),
  sort_order: z.number(),
  cache_ttl: z.number(),
  created_at: instant,
  updated_at: instant,
  last_used: z.nullable(instant),
})
export type Mount = z.infer<typeof mount>

const createdMount = z.extend(z.omit(mount, { last_used: true }), { is_active: z.boolean() })
const userMount = z.extend(mount, { is_public: bit })

const placeErrors = [
  mountErrors.path_invalid,
  mountErrors.path_reserved,
  mountErrors.path_taken,
  mountErrors.storage_unknown,
] as const

export const mountRoutes = {
  adminList: route({
    method: 'GET',
    path: '/api/admin/mounts',
    access: 'admin',
    summary: 'All mounts, inactive ones too, by their order, then by name.',
    reply: z.object({ data: z.array(mount) }),
    errors: [],
  }),
  adminRead: route({
    method: 'GET',
    path: '/api/admin/mounts/:id',
    access: 'admin',
    summary: 'One mount.',
    params: idParams,
    reply: z.object({ data: mount }),
    errors: [mountErrors.not_found],
  }),
  create: route({
    method: 'POST',
    path: '/api/admin/mounts',
    access: 'admin',
    summary: 'Mount a storage config at a path. Mounts may be nested.',
    body: createMountBody,
    reply: z.object({ data: createdMount }),
    status: 201,
    errors: placeErrors,
  }),
  update: route({
    method: 'PUT',
    path: '/api/admin/mounts/:id',
    access: 'admin',
    summary: 'Change a mount; absent fields keep their value.',
    params: idParams,
    body: updateMountBody,
    reply: z.object({}),
    errors: [mountErrors.not_found, ...placeErrors],
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/admin/mounts/:id',
    access: 'admin',
    summary: 'Delete a mount. Its files stay in the storage.',
    params: idParams,
    reply: z.object({}),
    errors: [mountErrors.not_found],
  }),
  userList: route({
    method: 'GET',
    path: '/api/user/mounts',
    access: 'mount',
    summary: 'The active mounts that the caller can see.',
    reply: z.object({ data: z.array(userMount) }),
    errors: [],
  }),
  userRead: route({
    method: 'GET',
    path: '/api/user/mounts/:id',
    access: 'mount',
    summary: 'One of the active mounts at or below the base path of the caller.',
    params: idParams,
    reply: z.object({ data: userMount }),
    errors: [mountErrors.not_found, authErrors.path_forbidden],
  }),
}
