import * as z from 'zod/mini'
import { fileErrors } from '../shares/file-errors.ts'
import { fsErrors, fsPath, namedPath, pathErrors } from './fs.ts'
import { route } from '../core/route.ts'
import { storageErrors, storageFailures } from '../storages/storage-configs.ts'
import { instant, optionalBoolean, requiredText } from '../core/wire.ts'

/** Maximum length of the text in an update, in UTF-16 units. */
export const FS_TEXT_MAX_LENGTH = 10 * 1024 * 1024

/** The entry at a path. `isVirtual` is true for folders above mounts, which are in no storage. */
const fsEntry = z.object({
  path: z.string(),
  name: z.string(),
  isDirectory: z.boolean(),
  isVirtual: z.boolean(),
  size: z.number(),
  modified: z.nullable(instant),
  contentType: z.string(),
  etag: z.optional(z.string()),
  mount_id: z.nullable(z.string()),
  storage_type: z.nullable(z.string()),
  preview_url: z.optional(z.string()),
  download_url: z.optional(z.string()),
})
export type FsEntry = z.infer<typeof fsEntry>

/** Errors that any write can return. */
export const fsWriteErrors = [
  ...pathErrors,
  fsErrors.read_only,
  fsErrors.exists,
  fsErrors.not_a_file,
  fileErrors.name_invalid,
  fileErrors.too_large,
  fileErrors.storage_full,
  storageErrors.disk_full,
  ...storageFailures,
] as const

export const fsFileRoutes = {
  get: route({
    method: 'GET',
    path: '/api/fs/get',
    access: 'mount',
    summary: 'The entry at a path: a file with its signed URLs, or a directory.',
    query: z.object({ path: fsPath }),
    reply: z.object({ data: fsEntry }),
    errors: [...pathErrors, fsErrors.not_found, ...storageFailures],
  }),
  download: route({
    method: 'GET',
    path: '/api/fs/download',
    access: 'mount',
    summary: 'The bytes of a file. Supports Range and If-None-Match.',
    query: z.object({
      path: fsPath,
      /** Whether the browser should save the file instead of showing it. */
      download: optionalBoolean,
    }),
    replyType: '*/*',
    errors: [
      ...pathErrors,
      fsErrors.not_found,
      fsErrors.not_a_file,
      storageErrors.range_invalid,
      ...storageFailures,
    ],
  }),
  mkdir: route({
    method: 'POST',
    path: '/api/fs/mkdir',
    access: 'mount',
    summary: 'Create a directory in an existing one.',
    body: z.object({ path: namedPath }),
    reply: z.object({}),
    errors: [
      ...pathErrors,
      fsErrors.read_only,
      fsErrors.exists,
      fsErrors.parent_missing,
      storageErrors.disk_full,
      ...storageFailures,
    ],
  }),
  update: route({
    method: 'POST',
    path: '/api/fs/update',
    access: 'mount',
    summary: 'Write a text as the whole content of a file, which is created if it does not exist.',
    body: z.object({
      path: namedPath,
      /** At most {@link FS_TEXT_MAX_LENGTH}; may be empty. */
      content: z.string(),
      /** Etag of the version that was edited. The update fails if the current version has another etag. */
      etag: z.optional(z.nullable(requiredText(200))),
    }),
    reply: z.object({
      data: z.object({
        success: z.literal(true),
        /** Key of the object in its storage. */
        path: z.string(),
        etag: z.string(),
        size: z.number(),
        contentType: z.string(),
        isNewFile: z.boolean(),
        message: z.string(),
      }),
    }),
    errors: [...fsWriteErrors, fsErrors.changed, fsErrors.text_too_large],
  }),
}
