import * as z from 'zod/mini'
import { defineErrors } from './errors.ts'
import { route } from './route.ts'
import { bit, instant, pathId } from './wire.ts'

export const storageErrors = defineErrors('storage', {
  /** No such storage config, or none that the caller may see. */
  not_found: 404,
  /** No storage config that the caller may use exists. */
  none: 400,
  /** The object is gone from the storage. */
  object_missing: 404,
  /** The disk behind the storage has no room left. */
  disk_full: 507,
  unavailable: 502,
  link_invalid: 403,
  link_expired: 403,
  range_invalid: 416,
})

/** Provider of a storage config as the wire spells it. */
export const LOCAL_DISK_PROVIDER = 'Local disk'

const storageConfig = z.object({
  id: z.string(),
  name: z.string(),
  provider_type: z.string(),
  endpoint_url: z.string(),
  bucket_name: z.string(),
  region: z.string(),
  path_style: bit,
  default_folder: z.string(),
  is_public: z.optional(bit),
  is_default: bit,
  created_at: instant,
  updated_at: instant,
  last_used: z.optional(z.nullable(instant)),
  total_storage_bytes: z.nullable(z.number()),
  custom_host: z.nullable(z.string()),
  signature_expires_in: z.number(),
})
export type StorageConfig = z.infer<typeof storageConfig>

export const storageConfigRoutes = {
  list: route({
    method: 'GET',
    path: '/api/s3-configs',
    access: 'file',
    summary: 'The storage configs that the caller may upload to, by name.',
    reply: z.object({ data: z.array(storageConfig), total: z.number() }),
    errors: [],
  }),
  read: route({
    method: 'GET',
    path: '/api/s3-configs/:id',
    access: 'file',
    summary: 'One storage config.',
    params: z.object({ id: pathId }),
    reply: z.object({ data: storageConfig }),
    errors: [storageErrors.not_found],
  }),
}

/** Signed addresses of the local disk; the signature is in the query, and names method, key, size and expiry. */
const objectParams = z.object({ config: pathId, '*': z.string() })
const objectQuery = z.object({
  expires: z.string(),
  signature: z.string(),
  max: z.optional(z.string()),
  type: z.optional(z.string()),
  disposition: z.optional(z.string()),
})
export const storageObjectRoutes = {
  put: route({
    method: 'PUT',
    path: '/api/storage/:config/*',
    access: 'public',
    summary: 'Upload an object to a signed address of the local disk.',
    params: objectParams,
    query: objectQuery,
    bodyType: '*',
    replyType: 'none',
    errors: [storageErrors.link_invalid, storageErrors.link_expired, storageErrors.disk_full],
  }),
  get: route({
    method: 'GET',
    path: '/api/storage/:config/*',
    access: 'public',
    summary: 'Read an object at a signed address of the local disk. Understands Range.',
    params: objectParams,
    query: objectQuery,
    replyType: '*/*',
    errors: [storageErrors.link_invalid, storageErrors.link_expired, storageErrors.object_missing],
  }),
}
