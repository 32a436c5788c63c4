/** An error that stops the server or a command, in one sentence for the operator. It contains no secret. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}

/** The database does not exist, refuses the login, or grants too few permissions. */
const REFUSED_BY_POSTGRES = /^(?:08|28|3D|53|57P|42501)/

const SQLITE_CORRUPT = 11
const SQLITE_NOT_A_DATABASE = 26

/** SQLite's errors for a damaged file. */
const isDamage = (error: Error): boolean =>
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  [SQLITE_CORRUPT, SQLITE_NOT_A_DATABASE].includes(error.errcode & 0xff)

/** Errors of the operating system and of databases name the file and the reason. */
function isOfSystem(error: Error): boolean {
  if (!('code' in error) || typeof error.code !== 'string') return false
  return 'syscall' in error || error.code === 'ERR_SQLITE_ERROR' || REFUSED_BY_POSTGRES.test(error.code)
}

/** An expected failure as one sentence; `null` for a bug, which is printed with its stack. */
export function sentenceOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof StartError) return error.message
  if (isDamage(error)) return `The database is damaged: ${error.message}. Restore a backup of it.`
  return isOfSystem(error) ? error.message : null
}
