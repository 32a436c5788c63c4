import {
  BACKUP_FORMAT,
  BACKUP_KINDS,
  BACKUP_PASSPHRASE_MIN_LENGTH,
  BACKUP_VERSION,
  type BackupHeader,
} from '@dropleaf/contract'

export type PassphraseProblem = 'tooShort' | 'different'

/** What is wrong with a passphrase that is typed twice; blank is none, and none is allowed. */
export function findPassphraseProblem(passphrase: string, again: string): PassphraseProblem | null {
  if (passphrase !== '' && passphrase.length < BACKUP_PASSPHRASE_MIN_LENGTH) return 'tooShort'
  return passphrase === again ? null : 'different'
}

export type HeaderProblem = 'not_a_backup' | 'version_unknown'

/** Whether what is shown of a backup is there; the server checks all of it. */
function isHeader(value: unknown): value is BackupHeader {
  const { product, created_at, counts, has_secrets } = (value ?? {}) as Partial<BackupHeader>
  const isCounted = BACKUP_KINDS.every((kind) => Number.isSafeInteger(counts?.[kind]))
  return (
    typeof product === 'string' &&
    typeof created_at === 'string' &&
    isCounted &&
    typeof has_secrets === 'boolean'
  )
}

/** What a file says about itself in its first line. */
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
