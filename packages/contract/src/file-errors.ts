import { authErrors } from './auth.ts'
import { defineErrors } from './errors.ts'
import { storageErrors } from './storage-configs.ts'

export const fileErrors = defineErrors('file', {
  not_found: 404,
  expired: 410,
  used_up: 410,
  slug_taken: 409,
  /** The file has a share already; its suffix is in `details` for those who may manage it. */
  already_shared: 409,
  /** An object of that name is already there. */
  path_taken: 409,
  path_invalid: 400,
  name_invalid: 400,
  /** Larger than `max_upload_size`. */
  too_large: 413,
  /** The capacity of the storage config is used up. */
  storage_full: 400,
  empty_upload: 400,
  /** Commit came before the bytes. */
  not_uploaded: 409,
  /** The named parts are not those that were uploaded. */
  parts_invalid: 400,
  upload_expired: 410,
  /** The bytes in the storage are not those that the caller announced. */
  size_mismatch: 400,
  /** The bytes ended or broke off before all had come. */
  incomplete: 400,
  password_missing: 401,
  password_wrong: 401,
  /** The same on the addresses of the bytes, where older clients expect it so. */
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
  storageErrors.not_found,
  storageErrors.none,
  storageErrors.default_closed,
  authErrors.storage_forbidden,
  authErrors.path_forbidden,
] as const
