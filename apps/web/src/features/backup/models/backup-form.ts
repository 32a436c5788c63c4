import {
  BACKUP_FORMAT,
  BACKUP_KINDS,
  BACKUP_PASSPHRASE_MIN_LENGTH,
  BACKUP_VERSION,
  type BackupHeader,
} from '@dropleaf/contract'

export type PassphraseProblem = 'tooShort' | 'different'

/** Validates a passphrase that is typed twice. A blank passphrase is valid, and means that the backup has none. */
export function findPassphraseProblem(passphrase: string, again: string): PassphraseProblem | null {
  if (passphrase !== '' && passphrase.length < BACKUP_PASSPHRASE_MIN_LENGTH) return 'tooShort'
  return passphrase === again ? null : 'different'
}

export type HeaderProblem = 'not_a_backup' | 'version_unknown'

/** Checks only the fields of a header that the page shows. The server validates all fields. */
function isHeader(value: unknown): value is BackupHeader {
  const { product, created_at, counts, has_secrets } = (value ?? {}) as Partial<BackupHeader>
  // Backups of earlier versions do not count every kind.
  const isCounted = BACKUP_KINDS.every((kind) => Number.isSafeInteger(counts?.[kind] ?? 0))
  return (
    typeof product === 'string' &&
    typeof created_at === 'string' &&
    typeof counts === 'object' &&
    counts !== null &&
    isCounted &&
    typeof has_secrets === 'boolean'
  )
}

/** Parses the first line of a backup, which is its header. */
export function readHeader(start: string): BackupHeader | HeaderProblem {
  let value: unknown
  try {
    value = JSON.parse(start.split('\n', 1)[0] ?? '')
  } catch {
    return 'not_a_backup'
  }
  const { format, version } = (value ?? {}) as Record<string, unknown>
  if (format !== BACKUP_FORMAT) return 'not_a_backup'
  if (version !== BACKUP_VERSION) return 'version_unknown'
  return isHeader(value) ? value : 'not_a_backup'
}
