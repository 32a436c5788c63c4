import * as z from 'zod/mini'
import { authErrors } from './auth.ts'
import { defineErrors } from './errors.ts'
import { route } from './route.ts'
import { storageFailures } from './storage-configs.ts'
import { instant, optionalBoolean, optionally } from './wire.ts'

/** Failures of the virtual file system, whichever face of it answers. */
export const fsErrors = defineErrors('fs', {
  path_invalid: 400,
  /** No such file or folder. */
  not_found: 404,
  /** No mount that the caller may see holds the path. */
  no_mount: 404,
  /** The root, a level above mounts, or a mount itself: nothing can be written, moved or removed there. */
  not_operable: 403,
  /** The key may read, not write. */
  read_only: 403,
  exists: 409,
  parent_missing: 409,
  /** An item of several names no source or no target. */
  path_missing: 400,
  /** A file was named where only a folder will do. */
  not_a_folder: 400,
  /** A folder was named where only a file will do. */
  not_a_file: 400,
  /** One path ends in a slash, the other does not. */
  kind_mismatch: 400,
  /** A new name in another mount: that is a move. */
  other_mount: 400,
  /** The target lies in the source. */
  into_itself: 400,
  /** The bytes are not those that the caller last saw. */
  changed: 409,
  text_too_large: 413,
  /** A download address that is unknown, used up or expired. */
  ticket_invalid: 403,
  /** Objects of shares lie there: nothing else is written, moved or removed. */
  path_reserved: 403,
  /** The folder holds objects of shares, so it stays. */
  holds_shares: 409,
  /** The folder holds a mount, so it is not copied, moved or removed as a whole. */
  holds_mount: 409,
  /** The storage holds keys there that no path can name. */
  names_unusable: 409,
  /** What is in the folder would have keys there that are longer than a storage takes. */
  paths_too_long: 400,
  /** More objects than a client can copy by itself: let the server do it. */
  too_many: 400,
  /** No upload of that name of the caller, or none any more. */
  upload_not_found: 404,
  /** The call names another key, path or storage than the upload was begun for. */
  upload_mismatch: 400,
  /** The key that a client tells is not that of the path. */
  key_mismatch: 400,
  /** Parts are missing, or are not the ones that were uploaded. */
  parts_missing: 400,
  /** A part has another size than its place in the file demands. */
  part_size_wrong: 400,
  part_number_invalid: 400,
  /** A folder is not gone, for others went on writing into it while it was removed. */
  written_meanwhile: 409,
  /** Some of many were done; the same call again goes on. */
  partly_done: 502,
})

/** Longest path on the wire, in UTF-16 units: a mount's path and a key of 1,024 bytes. */
export const PATH_MAX_LENGTH = 2048
export const fsPath = z.string().check(z.maxLength(PATH_MAX_LENGTH))
/** A path that nothing stands for when it is missing. */
export const namedPath = fsPath.check(z.minLength(1))

/** What any route may answer that takes a path. */
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
    summary: 'An address of a file that works without a credential until it expires.',
    query: z.object({
      path: fsPath,
      force_download: optionalBoolean,
      /** Seconds; the default is that of the storage. */
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
