/** What keeps the server or a command from its work, in one sentence for the person at the console. It names no secret. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}

/** That the database is not there, does not let anybody in, or lets them do too little. */
const REFUSED_BY_POSTGRES = /^(?:08|28|3D|53|57P|42501)/

const SQLITE_CORRUPT = 11
const SQLITE_NOT_A_DATABASE = 26

/** Wherever in the file the damage is, and whoever meets it. */
const isDamage = (error: Error): boolean =>
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  [SQLITE_CORRUPT, SQLITE_NOT_A_DATABASE].includes(error.errcode & 0xff)

/** What the system refuses names the file and the reason, and so do databases. */
function isOfSystem(error: Error): boolean {
  if (!('code' in error) || typeof error.code !== 'string') return false
  return 'syscall' in error || error.code === 'ERR_SQLITE_ERROR' || REFUSED_BY_POSTGRES.test(error.code)
}

/** A failure as one sentence; `null` for what is a fault of ours, which comes with where it happened. */
export function sentenceOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof StartError) return error.message
  if (isDamage(error)) return `The database is damaged: ${error.message}. Restore a backup of it.`
  return isOfSystem(error) ? error.message : null
}
