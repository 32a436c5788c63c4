import * as z from 'zod/mini'
import { authErrors } from '../administration/auth.ts'
import { optionalText, pathId, wireInt } from '../core/wire.ts'
import { BUNDLE_OBJECTS_MAX, FOLDER_MAX_LENGTH, MIB } from '../core/limits.ts'
import { route } from '../core/route.ts'
import { fileErrors, uploadErrors } from '../shares/file-errors.ts'
import { filename } from '../shares/file-uploads.ts'
import { bundleErrors } from './bundle-errors.ts'

/** Maximum number of objects in one request. */
export const BUNDLE_OBJECT_BATCH_MAX = 100
const PARTS_MAX = 10_000
const PART_MAX_BYTES = 5 * 1024 * MIB

const number = wireInt({ min: 0, max: BUNDLE_OBJECTS_MAX - 1 })
const idParams = z.object({ id: pathId })
const objectParams = z.object({ id: pathId, n: number })
const partParams = z.object({ id: pathId, n: number, part: wireInt({ min: 1, max: PARTS_MAX }) })

const placement = { s3_config_id: optionalText(200), path: optionalText(FOLDER_MAX_LENGTH) }
const addresses = z.array(z.object({ partNumber: z.number(), url: z.string() }))
/** All parts except the last have `part_size` bytes. */
const plan = { size: z.number(), part_size: z.number(), part_count: z.number() }

const storedObject = z.object({
  n: z.number(),
  filename: z.string(),
  size: z.number(),
  mimetype: z.string(),
  etag: z.nullable(z.string()),
  /** SHA-256 of the object in hex; `null` if the bytes did not pass through the server. */
  sha256: z.nullable(z.string()),
})
export type StoredBundleObject = z.infer<typeof storedObject>

const ownErrors = [bundleErrors.not_found, authErrors.forbidden] as const
const newErrors = [
  ...ownErrors,
  bundleErrors.object_exists,
  bundleErrors.too_many_objects,
  bundleErrors.not_sealed,
  bundleErrors.not_sealable,
  ...uploadErrors.filter(({ code }) => code !== fileErrors.slug_taken.code),
] as const
const partErrors = [
  ...ownErrors,
  bundleErrors.object_missing,
  authErrors.storage_forbidden,
  authErrors.path_forbidden,
  fileErrors.upload_expired,
  fileErrors.parts_invalid,
] as const

/** Uploads of the objects that the items of a bundle use. The owner of the bundle assigns their numbers. */
export const bundleObjectRoutes = {
  put: route({
    method: 'PUT',
    path: '/api/bundles/:id/objects/:n',
    access: 'file',
    summary: 'Upload an object of a bundle through the server in one request: the raw body.',
    params: objectParams,
    query: z.object({ filename, ...placement }),
    bodyType: '*',
    reply: z.object({ data: storedObject }),
    status: 201,
    errors: [...newErrors, fileErrors.incomplete],
  }),
  begin: route({
    method: 'POST',
    path: '/api/bundles/:id/objects',
    access: 'file',
    summary:
      'Reserve objects of a bundle, with a URL for each part of their bytes. An object that was begun before begins anew.',
    params: idParams,
    body: z.object({
      objects: z
        .array(
          z.union([
            z.object({ n: number, filename, size: wireInt({ min: 0, max: Number.MAX_SAFE_INTEGER }) }),
            /** An encrypted object. The server gives it a name. */
            z.object({
              n: number,
              /** Size of the encrypted object in bytes. */
              stored: wireInt({ min: 1, max: Number.MAX_SAFE_INTEGER }),
              /** Size of each encrypted part but the last. */
              part_size: wireInt({ min: 1, max: PART_MAX_BYTES }),
            }),
          ]),
        )
        .check(z.minLength(1), z.maxLength(BUNDLE_OBJECT_BATCH_MAX)),
      ...placement,
    }),
    reply: z.object({
      data: z.object({
        objects: z.array(z.object({ n: z.number(), ...plan, presigned_urls: addresses })),
      }),
    }),
    errors: [...newErrors, fileErrors.parts_invalid],
  }),
  parts: route({
    method: 'GET',
    path: '/api/bundles/:id/objects/:n/parts',
    access: 'file',
    summary:
      'The parts of an object that have arrived, and new URLs for the others. Each call keeps the upload for another day.',
    params: objectParams,
    reply: z.object({
      data: z.object({
        ...plan,
        parts: z.array(z.object({ partNumber: z.number(), size: z.number(), etag: z.string() })),
        presigned_urls: addresses,
        /** Whether the object is complete. If so, the client sends no bytes. */
        is_completed: z.boolean(),
      }),
    }),
    errors: partErrors,
  }),
  part: route({
    method: 'PUT',
    path: '/api/bundles/:id/objects/:n/parts/:part',
    access: 'file',
    summary: 'Send one part of an object through the server, where the client cannot reach the storage.',
    params: partParams,
    bodyType: '*',
    reply: z.object({ data: z.object({ part_number: z.number(), etag: z.string() }) }),
    errors: partErrors,
  }),
  complete: route({
    method: 'POST',
    path: '/api/bundles/:id/objects/:n/complete',
    access: 'file',
    summary: 'Join the arrived parts into the object. A repeated call returns the same.',
    params: objectParams,
    reply: z.object({ data: storedObject }),
    errors: [
      ...partErrors,
      fileErrors.not_uploaded,
      fileErrors.size_mismatch,
      fileErrors.too_large,
      fileErrors.storage_full,
      bundleErrors.not_sealed,
    ],
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/bundles/:id/objects/:n',
    access: 'file',
    summary: 'Abort the upload of an object, or remove one that no kept revision names.',
    params: objectParams,
    reply: z.object({}),
    errors: [
      ...ownErrors,
      bundleErrors.object_missing,
      bundleErrors.object_named,
      authErrors.storage_forbidden,
      authErrors.path_forbidden,
    ],
  }),
}
