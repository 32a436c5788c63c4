import {
  BACKUP_FORMAT,
  BACKUP_PASSPHRASE_MIN_LENGTH,
  BACKUP_VERSION,
  type BackupHeader,
  backupHeader,
} from '@dropleaf/contract'

export type PassphraseProblem = 'tooShort' | 'different'

/** What is wrong with a passphrase that is typed twice; blank is none, and none is allowed. */
export function findPassphraseProblem(passphrase: string, again: string): PassphraseProblem | null {
  if (passphrase !== '' && passphrase.length < BACKUP_PASSPHRASE_MIN_LENGTH) return 'tooShort'
  return passphrase === again ? null : 'different'
}

export type HeaderProblem = 'not_a_backup' | 'version_unknown'

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
  const header = backupHeader.safeParse(value)
  return header.success ? header.data : 'not_a_backup'
}
