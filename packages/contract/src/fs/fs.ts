import * as z from 'zod/mini'
import { authErrors } from '../administration/auth.ts'
import { defineErrors } from '../core/errors.ts'
import { route } from '../core/route.ts'
import { storageFailures } from '../storages/storage-configs.ts'
import { instant, optionalBoolean, optionally } from '../core/wire.ts'

/** Errors of the virtual file system, in every interface to it. */
export const fsErrors = defineErrors('fs', {
  path_invalid: 400,
  /** No such file or folder. */
  not_found: 404,
  /** No mount visible to the caller contains the path. */
  no_mount: 404,
  /** The root, a level above mounts, or a mount itself: nothing can be written, moved or removed there. */
  not_operable: 403,
  /** The key may read but not write. */
  read_only: 403,
  exists: 409,
  parent_missing: 409,
  /** One of several items has no source or no target. */
  path_missing: 400,
  /** The path names a file, but a folder is required. */
  not_a_folder: 400,
  /** The path names a folder, but a file is required. */
  not_a_file: 400,
  /** One path ends in a slash, the other does not. */
  kind_mismatch: 400,
  /** The new name is in another mount; use a move instead. */
  other_mount: 400,
  /** The target is inside the source. */
  into_itself: 400,
  /** The current content differs from the version that the caller last saw. */
  changed: 409,
  text_too_large: 413,
  /** An unknown, used or expired download ticket. */
  ticket_invalid: 403,
  /** The folder is reserved for objects of shares: nothing can be written, moved or removed there. */
  path_reserved: 403,
  /** The folder contains objects of shares, so it stays. */
  holds_shares: 409,
  /** The folder contains a mount, so it cannot be copied, moved or removed as a whole. */
  holds_mount: 409,
  /** The storage has keys there that no path can name. */
  names_unusable: 409,
  /** Some keys would become longer than the storage allows. */
  paths_too_long: 400,
  /** Too many objects for a copy by the client; use a task of the server. */
  too_many: 400,
  /** The caller has no upload with this id, or not any more. */
  upload_not_found: 404,
  /** The call names another key, path or storage than the upload. */
  upload_mismatch: 400,
  /** The key that the client sent does not belong to the path. */
  key_mismatch: 400,
  /** Parts are missing or differ from the uploaded ones. */
  parts_missing: 400,
  /** The size of a part does not match its position in the file. */
  part_size_wrong: 400,
  part_number_invalid: 400,
  /** The folder was not removed, because others kept writing into it. */
  written_meanwhile: 409,
  /** Only a part of the items is done; the same call again continues. */
  partly_done: 502,
})

/** Longest path on the wire, in UTF-16 units: a mount's path and a key of 1,024 bytes. */
export const PATH_MAX_LENGTH = 2048
export const fsPath = z.string().check(z.maxLength(PATH_MAX_LENGTH))
/** A required, non-empty path. */
export const namedPath = fsPath.check(z.minLength(1))

/** Errors of every route that takes a path. */
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
      /** Seconds; the default is the storage's setting. */
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
