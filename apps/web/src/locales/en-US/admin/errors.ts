import type { adminErrors as chinese } from '../../zh-CN/admin/errors.ts'

export const adminErrors: typeof chinese = {
  api_key: {
    not_found: 'This API key does not exist',
    name_taken: 'An API key with this name already exists',
    key_taken: 'This key is already in use. Choose another one',
    nothing_to_change: 'There is nothing to change',
    invalid_path: 'The path is not valid',
  },
  mount: {
    not_found: 'This mount does not exist',
    path_invalid: 'The mount path is not valid. Use a path like /photos',
    path_reserved: 'This mount path is reserved by the system',
    path_taken: 'Another mount already has this path',
    storage_unknown: 'The storage of the mount does not exist',
  },
  reconciliation: { running: 'A check is already running. Wait until it has finished' },
  backup: {
    not_a_backup: 'This file is not a Dropleaf backup',
    version_unknown: 'This backup comes from a newer version of Dropleaf. Update this server first',
    passphrase_missing: 'This backup contains secrets. Enter its passphrase',
    passphrase_wrong: 'The passphrase is wrong',
    broken_off: 'The backup is incomplete or was changed. Nothing was imported',
    line_invalid: 'A line of the backup is not valid. Nothing was imported',
    too_large: 'The backup is larger than 64 GB',
    conflict: 'This server already contains data. Confirm that you want to replace this data',
  },
  settings: {
    nothing_to_change: 'There is no setting to change',
  },
}
