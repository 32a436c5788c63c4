/** An error that stops the server or a command, as one sentence for the operator. The sentence contains no secret. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}

/** Matches PostgreSQL errors that are not bugs: for example, the database does not exist, or refuses the login. */
const REFUSED_BY_POSTGRES = /^(?:08|28|3D|53|57P|42501)/

const SQLITE_CORRUPT = 11
const SQLITE_NOT_A_DATABASE = 26

/** Whether SQLite reports a damaged file. */
const isDamage = (error: Error): boolean =>
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  [SQLITE_CORRUPT, SQLITE_NOT_A_DATABASE].includes(error.errcode & 0xff)

/** Whether an error comes from the operating system or a database. Such an error names the file and the reason. */
function isOfSystem(error: Error): boolean {
  if (!('code' in error) || typeof error.code !== 'string') return false
  return 'syscall' in error || error.code === 'ERR_SQLITE_ERROR' || REFUSED_BY_POSTGRES.test(error.code)
}

/** Returns an expected failure as one sentence, or `null` for a bug, which is printed with its stack. */
export function sentenceOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof StartError) return error.message
  if (isDamage(error)) return `The database is damaged: ${error.message}. Restore a backup of it.`
  return isOfSystem(error) ? error.message : null
}
