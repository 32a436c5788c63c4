import * as z from 'zod/mini'
import { authErrors } from '../administration/auth.ts'
import { fileErrors, uploadErrors } from './file-errors.ts'
import { committedFile, filename, uploadOptions } from './file-uploads.ts'
import { shareErrors } from './opening-fields.ts'
import { route } from '../core/route.ts'
import { storageErrors } from '../storages/storage-configs.ts'
import { optionalText, requiredText, wireInt } from '../core/wire.ts'

const fileId = requiredText(200)
const PARTS_MAX = 10_000

/** Each URL is for a PUT of the part with this number. The PUT can be repeated. */
const addresses = z.array(z.object({ partNumber: z.number(), url: z.string() }))
/** All parts except the last have `part_size` bytes. */
const plan = { size: z.number(), part_size: z.number(), part_count: z.number() }

const pendingErrors = [
  fileErrors.not_found,
  authErrors.forbidden,
  authErrors.storage_forbidden,
  authErrors.path_forbidden,
  storageErrors.not_found,
] as const
const ownErrors = [...pendingErrors, fileErrors.upload_expired] as const
const finishErrors = [
  ...ownErrors,
  fileErrors.not_uploaded,
  fileErrors.parts_invalid,
  fileErrors.size_mismatch,
  fileErrors.slug_taken,
  fileErrors.too_large,
  fileErrors.storage_full,
  shareErrors.must_be_sealed,
] as const

/**
 * Uploads of file shares in parts. An upload can be resumed for up to a day after its last request, even if the client
 * or the server has restarted.
 */
export const filePartRoutes = {
  init: route({
    method: 'POST',
    path: '/api/s3/multipart/init',
    access: 'file',
    summary: 'Reserve a share whose bytes are PUT in parts, with a URL for each.',
    body: z.object({
      ...uploadOptions.shape,
      filename,
      size: wireInt({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    }),
    reply: z.object({
      data: z.object({ file_id: z.string(), slug: z.string(), ...plan, presigned_urls: addresses }),
    }),
    errors: [...uploadErrors, fileErrors.parts_invalid, authErrors.forbidden],
  }),
  part: route({
    method: 'PUT',
    path: '/api/s3/multipart/part',
    access: 'file',
    summary: 'Send one part through the server, where the client cannot reach the storage: the raw body.',
    query: z.object({ file_id: fileId, part_number: wireInt({ min: 1, max: PARTS_MAX }) }),
    bodyType: '*',
    reply: z.object({ data: z.object({ part_number: z.number(), etag: z.string() }) }),
    errors: [...ownErrors, fileErrors.parts_invalid],
  }),
  parts: route({
    method: 'GET',
    path: '/api/s3/multipart/parts',
    access: 'file',
    summary:
      'The parts of an upload that have arrived, and new URLs for the others. Each call keeps the upload for another day.',
    query: z.object({ file_id: fileId }),
    reply: z.object({
      data: z.object({
        ...plan,
        parts: z.array(z.object({ partNumber: z.number(), size: z.number(), etag: z.string() })),
        presigned_urls: addresses,
        /** Whether the share already exists. If so, nothing has to be sent. */
        is_completed: z.boolean(),
      }),
    }),
    errors: ownErrors,
  }),
  complete: route({
    method: 'POST',
    path: '/api/s3/multipart/complete',
    access: 'file',
    summary: 'Join the arrived parts into a share. A repeated call returns the same.',
    body: z.object({ file_id: fileId }),
    reply: z.object({ data: committedFile }),
    errors: finishErrors,
  }),
  abort: route({
    method: 'POST',
    path: '/api/s3/multipart/abort',
    access: 'file',
    summary: 'Abort an upload in parts and remove its parts.',
    body: z.object({ file_id: fileId }),
    reply: z.object({}),
    errors: pendingErrors,
  }),
  room: route({
    method: 'GET',
    path: '/api/s3/room',
    access: 'file',
    summary: 'Bytes that the capacity of a storage leaves for new shares; null without a capacity.',
    query: z.object({ s3_config_id: optionalText(200) }),
    reply: z.object({ data: z.object({ remaining_bytes: z.nullable(z.number()) }) }),
    errors: [
      storageErrors.not_found,
      storageErrors.none,
      storageErrors.default_closed,
      authErrors.storage_forbidden,
    ],
  }),
}
