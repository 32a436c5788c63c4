import * as z from 'zod/mini'
import { defineErrors } from '../core/errors.ts'
import {
  BUCKET_NAME_MAX_LENGTH,
  DEFAULT_SIGNATURE_SECONDS,
  FOLDER_MAX_LENGTH,
  SIGNATURE_MAX_SECONDS,
  STORAGE_NAME_MAX_LENGTH,
  URL_MAX_LENGTH,
} from '../core/limits.ts'
import { route } from '../core/route.ts'
import {
  bit,
  idParams,
  instant,
  optionalBoolean,
  optionalText,
  pathId,
  trimmedText,
  whenPresent,
  wireBoolean,
} from '../core/wire.ts'

export const storageErrors = defineErrors('storage', {
  /** The storage config does not exist, or the caller cannot see it. */
  not_found: 404,
  /** The caller may not use any of the storage configs. */
  none: 400,
  /** API keys may not use the default bucket, and the only other storage is the local disk of one replica. */
  default_closed: 403,
  object_missing: 404,
  disk_full: 507,
  unavailable: 502,
  /** The storage rejects the server's credentials, or their permissions are insufficient. */
  denied: 502,
  bucket_missing: 502,
  link_invalid: 403,
  link_expired: 403,
  range_invalid: 416,
  /** Files or mounts use the storage config; `details` contains their numbers. */
  in_use: 409,
  endpoint_invalid: 400,
  bucket_invalid: 400,
  credentials_missing: 400,
  custom_host_invalid: 400,
  default_folder_invalid: 400,
  /** The folder name of a local disk is not a single plain name. */
  folder_invalid: 400,
  /** Another local disk uses this folder. */
  folder_taken: 409,
})

/** Errors of all routes that access a storage. */
export const storageFailures = [
  storageErrors.unavailable,
  storageErrors.denied,
  storageErrors.bucket_missing,
] as const

/** Provider name of a local disk in the API. */
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

const createdStorageConfig = z.extend(storageConfig, {
  path_style: z.boolean(),
  is_public: z.boolean(),
  is_default: z.boolean(),
})

const toFinite = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN

/** Capacity in bytes, or `null` for the provider's default. Values that are not positive numbers count as absent. */
const capacity = z.optional(
  z.transform((value: unknown): number | null | undefined => {
    if (value === null || value === '') return null
    const bytes = Math.floor(toFinite(value))
    return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined
  }) as unknown as z.ZodMiniType<number | null | undefined, number | string | null>,
)

/**
 * Lifetime of signatures in seconds. Values that are not positive numbers mean the default. Larger values are reduced
 * to the maximum.
 */
const signatureSeconds = z.optional(
  z.transform((value: unknown): number => {
    const seconds = Math.floor(toFinite(value))
    return seconds > 0 ? Math.min(seconds, SIGNATURE_MAX_SECONDS) : DEFAULT_SIGNATURE_SECONDS
  }) as unknown as z.ZodMiniType<number, number | string | null>,
)

const CREDENTIAL_MAX_LENGTH = 1024
const REGION_MAX_LENGTH = 100

const name = trimmedText(STORAGE_NAME_MAX_LENGTH)
const providerType = trimmedText(STORAGE_NAME_MAX_LENGTH)
const bucketName = trimmedText(BUCKET_NAME_MAX_LENGTH)
const address = optionalText(URL_MAX_LENGTH)
const credential = optionalText(CREDENTIAL_MAX_LENGTH)
const region = optionalText(REGION_MAX_LENGTH)
const defaultFolder = optionalText(FOLDER_MAX_LENGTH)

const createStorageConfigBody = z.object({
  name,
  provider_type: providerType,
  /** URL with scheme, without the bucket; blank for a local disk. */
  endpoint_url: address,
  /** Name of the bucket, or of the local disk's folder. */
  bucket_name: bucketName,
  region,
  access_key_id: credential,
  secret_access_key: credential,
  path_style: optionalBoolean,
  default_folder: defaultFolder,
  is_public: optionalBoolean,
  total_storage_bytes: capacity,
  custom_host: address,
  signature_expires_in: signatureSeconds,
})

const updateStorageConfigBody = z.object({
  name: z.optional(name),
  provider_type: z.optional(providerType),
  endpoint_url: whenPresent(address),
  bucket_name: z.optional(bucketName),
  region: whenPresent(region),
  /** Credentials remain unchanged if absent or blank. */
  access_key_id: credential,
  secret_access_key: credential,
  path_style: z.optional(wireBoolean),
  default_folder: whenPresent(defaultFolder),
  is_public: z.optional(wireBoolean),
  total_storage_bytes: capacity,
  /**
   * Whether the default capacity in `total_storage_bytes` is meant as a limit for a local disk without a limit. Without
   * this flag, the disk remains without a limit, because older clients send the default capacity.
   */
  limit_is_meant: optionalBoolean,
  custom_host: whenPresent(address),
  signature_expires_in: signatureSeconds,
})

const configErrors = [
  storageErrors.endpoint_invalid,
  storageErrors.bucket_invalid,
  storageErrors.credentials_missing,
  storageErrors.custom_host_invalid,
  storageErrors.folder_invalid,
  storageErrors.folder_taken,
  storageErrors.default_folder_invalid,
] as const

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
    params: idParams,
    reply: z.object({ data: storageConfig }),
    errors: [storageErrors.not_found],
  }),
  create: route({
    method: 'POST',
    path: '/api/s3-configs',
    access: 'admin',
    summary: 'Add a storage config. The first one becomes the default.',
    body: createStorageConfigBody,
    reply: z.object({ data: createdStorageConfig }),
    status: 201,
    errors: configErrors,
  }),
  update: route({
    method: 'PUT',
    path: '/api/s3-configs/:id',
    access: 'admin',
    summary: 'Change a storage config; absent fields and blank credentials keep their value.',
    params: idParams,
    body: updateStorageConfigBody,
    reply: z.object({}),
    errors: [storageErrors.not_found, ...configErrors],
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/s3-configs/:id',
    access: 'admin',
    summary: 'Delete a storage config that no file and no mount uses. Its files stay in the storage.',
    params: idParams,
    reply: z.object({}),
    errors: [storageErrors.not_found, storageErrors.in_use],
  }),
  setDefault: route({
    method: 'PUT',
    path: '/api/s3-configs/:id/set-default',
    access: 'admin',
    summary: 'Make a storage config the default.',
    params: idParams,
    reply: z.object({}),
    errors: [storageErrors.not_found],
  }),
}

/** Parameters of URLs signed by this server. The signature covers the method and all parameters. */
const objectParams = z.object({ config: pathId, '*': z.string() })
const objectQuery = z.object({
  expires: z.string(),
  signature: z.string(),
  max: z.optional(z.string()),
  type: z.optional(z.string()),
  disposition: z.optional(z.string()),
  uploadId: z.optional(z.string()),
  partNumber: z.optional(z.string()),
  /** Purpose of the URL. `copy` is for a URL that writes the final object, without an upload to commit. */
  purpose: z.optional(z.string()),
  /** `by`: share, API key or session that the URL depends on. `right`: permission that the URL requires. */
  by: z.optional(z.string()),
  right: z.optional(z.string()),
  /** Mount that the URL depends on. */
  mount: z.optional(z.string()),
})
export const storageObjectRoutes = {
  put: route({
    method: 'PUT',
    path: '/api/storage/:config/*',
    access: 'signed',
    summary: 'Upload an object, or a part of a multipart upload, to a signed URL of the local disk.',
    params: objectParams,
    query: objectQuery,
    bodyType: '*',
    replyType: 'none',
    errors: [storageErrors.link_invalid, storageErrors.link_expired, storageErrors.disk_full],
  }),
  get: route({
    method: 'GET',
    path: '/api/storage/:config/*',
    access: 'signed',
    summary: 'Read an object at a signed URL. Supports Range; it may redirect to a bucket.',
    params: objectParams,
    query: objectQuery,
    replyType: '*/*',
    errors: [storageErrors.link_invalid, storageErrors.link_expired, storageErrors.object_missing],
  }),
}
