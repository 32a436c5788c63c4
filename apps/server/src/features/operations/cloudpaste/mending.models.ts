import { API_KEY_NAME_MAX_LENGTH, MOUNT_STORAGE_TYPE, plainAddress } from '@dropleaf/contract'
import { type BackupRow, findMisfit } from '../backup/backup.models.ts'

/** Adjusts rows that cannot be imported unchanged. */

/** An adjusted row, with descriptions of the changes for the operator. */
export interface Mended<Row> {
  readonly row: Row
  readonly changes: readonly string[]
}

/**
 * Adjusts the default folder of a storage. The folder affects only new uploads, because stored objects have their full
 * key.
 */
function mendFolder(row: BackupRow<'storage_config'>): Mended<BackupRow<'storage_config'>> {
  const plain = row.default_folder.split('/').filter(Boolean).join('/')
  const isFit = findMisfit('storage_config', { ...row, default_folder: plain })?.field !== 'default_folder'
  const default_folder = isFit ? plain : ''
  const given = JSON.stringify(row.default_folder)
  const where = isFit ? JSON.stringify(plain) : 'the top of the bucket'
  const isSame = row.default_folder.replace(/\/$/, '') === default_folder
  return {
    row: { ...row, default_folder },
    changes: isSame ? [] : [`default_folder: new uploads go to ${where} instead of ${given}`],
  }
}

/** Removes an unusable custom host. Without a custom host, a storage uses its own endpoint. */
function mendHost(row: BackupRow<'storage_config'>): Mended<BackupRow<'storage_config'>> {
  if (row.custom_host === null || plainAddress(row.custom_host) !== null) return { row, changes: [] }
  const given = JSON.stringify(row.custom_host)
  return {
    row: { ...row, custom_host: null },
    changes: [`custom_host: left out, as ${given} is no address like https://cdn.example.com`],
  }
}

export function mendConfig(old: BackupRow<'storage_config'>): Mended<BackupRow<'storage_config'>> {
  const folder = mendFolder(old)
  const host = mendHost(folder.row)
  return { row: host.row, changes: [...folder.changes, ...host.changes] }
}

/**
 * Adjusts a mount. A mount that CloudPaste did not serve is imported as inactive, so that its files do not become
 * accessible unnoticed.
 */
export function mendMount(old: BackupRow<'mount'>): Mended<BackupRow<'mount'>> {
  const row = { ...old, storage_type: MOUNT_STORAGE_TYPE, is_active: 0 as const }
  if (old.storage_config_id === null)
    return { row, changes: ['storage_config_id: not active here, as it has no storage'] }
  if (old.storage_type === MOUNT_STORAGE_TYPE) return { row: old, changes: [] }
  const given = JSON.stringify(old.storage_type)
  return {
    row,
    changes: [
      `storage_type: not active here, as CloudPaste served none of the type ${given}; it leads to its S3 storage`,
    ],
  }
}

/** Returns the name if it is free, otherwise a similar name. Renaming is safe, because scripts use the key itself. */
export function freeKeyName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? ' (CloudPaste)' : ` (CloudPaste ${number})`
    const free = [...name].slice(0, API_KEY_NAME_MAX_LENGTH - end.length).join('') + end
    if (!taken.has(free)) return free
  }
}
