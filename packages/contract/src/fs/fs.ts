import * as z from 'zod/mini'
import { authErrors } from '../administration/auth.ts'
import { defineErrors } from '../core/errors.ts'
import { route } from '../core/route.ts'
import { storageFailures } from '../storages/storage-configs.ts'
import { instant, optionalBoolean, optionally } from '../core/wire.ts'

/** Errors of the virtual file system, common to all interfaces. */
export const fsErrors = defineErrors('fs', {
  path_invalid: 400,
  /** The file or folder does not exist. */
  not_found: 404,
  /** The path is in no mount that the caller can see. */
  no_mount: 404,
  /** The path is the root, a folder above mounts, or a mount itself. These cannot be replaced, moved or deleted. */
  not_operable: 403,
  /** The API key may read but not write. */
  read_only: 403,
  exists: 409,
  parent_missing: 409,
  /** An item of the request has no source or target. */
  path_missing: 400,
  /** The path names a file, but a folder is required. */
  not_a_folder: 400,
  /** The path names a folder, but a file is required. */
  not_a_file: 400,
  /** Only one of the two paths ends in a slash. */
  kind_mismatch: 400,
  /** The new name is in another mount, which requires a move. */
  other_mount: 400,
  /** The target is inside the source. */
  into_itself: 400,
  /** The file changed after the caller last saw it, or during a copy or move. */
  changed: 409,
  text_too_large: 413,
  /** The download ticket is unknown, used or expired. */
  ticket_invalid: 403,
  /** The folder is reserved for objects of shares; nothing can be written, moved or deleted there. */
  path_reserved: 403,
  /** The folder contains objects of shares, so it cannot be deleted. */
  holds_shares: 409,
  /** The folder contains a mount, so it cannot be copied, moved or deleted as a whole. */
  holds_mount: 409,
  /** The folder contains keys that no path can address. */
  names_unusable: 409,
  /** Some keys would be longer than the storage allows. */
  paths_too_long: 400,
  /** The folder has too many objects for a copy by the client; use a task on the server. */
  too_many: 400,
  /** The upload does not exist, has ended, or belongs to another caller. */
  upload_not_found: 404,
  /** A value in the request, like the path, the key or the size, differs from that of the upload. */
  upload_mismatch: 400,
  /** The key in the request does not belong to the path. */
  key_mismatch: 400,
  /** Parts are missing, or differ from the uploaded parts. */
  parts_missing: 400,
  /** The size of a part does not match its position in the file. */
  part_size_wrong: 400,
  part_number_invalid: 400,
  /** The folder was not deleted, because other requests kept writing into it. */
  written_meanwhile: 409,
  /** Only some items were completed. Repeating the request continues the work. */
  partly_done: 502,
})

/** Maximum length of a path in UTF-16 units, enough for a mount's path and a key of 1,024 bytes. */
export const PATH_MAX_LENGTH = 2048
export const fsPath = z.string().check(z.maxLength(PATH_MAX_LENGTH))
export const namedPath = fsPath.check(z.minLength(1))

/** Errors of all routes that accept a path. */
export const pathErrors = [
  fsErrors.path_invalid,
  authErrors.path_forbidden,
  fsErrors.no_mount,
  fsErrors.not_operable,
] as const

const SIGNATURE_MAX_SECONDS = 7 * 24 * 3600
const noNumber = (value: unknown) => (value === '' || value === 'null' ? null : Number(value))

export const fsRoutes = {
  link: route({
    method: 'GET',
    path: '/api/fs/file-link',
    access: 'mount',
    summary: 'A URL of a file that works without a credential until it expires.',
    query: z.object({
      path: fsPath,
      force_download: optionalBoolean,
      /** Lifetime of the link in seconds; the default is a setting of the storage. */
      expires_in: optionally<number | null, number | string>(
        null,
        noNumber,
        z.nullable(z.int().check(z.minimum(1), z.maximum(SIGNATURE_MAX_SECONDS))),
      ),
    }),
    reply: z.object({
      data: z.object({
        success: z.literal(true),
        presignedUrl: z.string(),
        name: z.string(),
        expiresIn: z.number(),
        expiresAt: instant,
        forceDownload: z.boolean(),
      }),
    }),
    errors: [...pathErrors, fsErrors.not_found, fsErrors.not_a_file, ...storageFailures],
  }),
}
