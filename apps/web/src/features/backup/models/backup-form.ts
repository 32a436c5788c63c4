import {
  BACKUP_FORMAT,
  BACKUP_PASSPHRASE_MIN_LENGTH,
  BACKUP_VERSION,
  type BackupHeader,
  backupHeader,
} from '@dropleaf/contract'

export type Strength = 'weak' | 'fair' | 'strong'

const KINDS_OF_CHARACTERS = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /\p{Lo}/u, /[^\p{L}\p{N}]/u]
const STRONG_LENGTH = 20
const FEW_CHARACTERS = 6

/** How hard a passphrase is to guess: by its length above all, then by what it is made of. */
export function strengthOf(passphrase: string): Strength {
  const characters = [...passphrase]
  const kinds = KINDS_OF_CHARACTERS.filter((kind) => kind.test(passphrase)).length
  const isPoor = new Set(characters).size < FEW_CHARACTERS
  if (isPoor || passphrase.length < BACKUP_PASSPHRASE_MIN_LENGTH) return 'weak'
  if (characters.length >= STRONG_LENGTH || kinds >= 3) return 'strong'
  return 'fair'
}

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
