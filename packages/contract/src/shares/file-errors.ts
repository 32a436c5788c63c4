import { authErrors } from '../administration/auth.ts'
import { defineErrors } from '../core/errors.ts'
import { shareErrors } from './opening-fields.ts'
import { storageErrors } from '../storages/storage-configs.ts'

export const fileErrors = defineErrors('file', {
  not_found: 404,
  expired: 410,
  used_up: 410,
  slug_taken: 409,
  /**
   * The file already has a share. If the caller is allowed to manage this share, `details` contains its link suffix.
   */
  already_shared: 409,
  /** An object with this name already exists. */
  path_taken: 409,
  path_invalid: 400,
  name_invalid: 400,
  /** The file is larger than `max_upload_size`. */
  too_large: 413,
  /** The capacity of the storage is exceeded. */
  storage_full: 400,
  empty_upload: 400,
  /** The upload was committed before the bytes arrived. */
  not_uploaded: 409,
  /** Parts are missing, or the number, size or etag of a part is wrong. */
  parts_invalid: 400,
  upload_expired: 410,
  /** The size in the storage differs from the declared size. */
  size_mismatch: 400,
  /** The body ended or failed before all bytes had arrived. */
  incomplete: 400,
  password_missing: 401,
  password_wrong: 401,
  /** The password in a direct link is wrong. Older clients expect this status. */
  link_password_wrong: 403,
  no_password: 400,
  not_office: 400,
  link_invalid: 403,
})

export const uploadErrors = [
  fileErrors.slug_taken,
  fileErrors.path_taken,
  fileErrors.path_invalid,
  fileErrors.name_invalid,
  fileErrors.too_large,
  fileErrors.storage_full,
  shareErrors.pin_needs_ask,
  shareErrors.must_be_sealed,
  storageErrors.not_found,
  storageErrors.none,
  storageErrors.default_closed,
  authErrors.storage_forbidden,
  authErrors.path_forbidden,
] as const
