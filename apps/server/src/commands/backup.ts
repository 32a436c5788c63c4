import { resolve } from 'node:path'
import { backupData, DataBackupError } from '../features/operations/data-backup/backup-data.usecases.ts'
import { systemClock } from '../lib/clock.ts'
import { callOf } from '../lib/call-of.ts'
import { callerFolder, CommandError, openExisting, runCommand, say, warn } from './command.ts'

const LEFT_OUT_WORDS = {
  links: 'Symbolic links are not followed and not in it:',
  unnameable: 'Not in it, because their names are no UTF-8 (the server does not show them either):',
  special: 'Not in it, because they are neither files nor folders:',
} as const

const SECRET_WORDS = {
  configured: 'ENCRYPTION_SECRET is not in it. Keep it elsewhere; without it the backup is of little use.',
  wrong:
    'The secret is not in it, and this ENCRYPTION_SECRET is not the one that the database was filled under. Find the one that the server has, and keep it elsewhere; without it the backup is of little use.',
  unknown:
    'The secret is not in it: there is no ENCRYPTION_SECRET here, and no secret.key that fits the database. Keep the one that the server has elsewhere; without it the backup is of little use.',
} as const

const NAMED_MAX = 20

function namesOf(names: readonly string[]): string {
  const more = names.length - NAMED_MAX
  return names.slice(0, NAMED_MAX).join(', ') + (more > 0 ? `, and ${more} more` : '')
}

await runCommand(async (config, args) => {
  const nowMs = systemClock.nowMs()
  const [
    name = `dropleaf-backup-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '')}`,
    ...rest
  ] = args
  if (rest.length > 0 || name.startsWith('-'))
    throw new CommandError(`Usage: ${callOf('backup', '[FOLDER]')}`)
  const target = resolve(callerFolder(), name)
  const database = await openExisting(config)
  try {
    const { manifest, leftOut, secret } = await backupData(database, { config, target, nowMs })
    const bytes = manifest.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    say(`${manifest.files.length} files, ${bytes} bytes, in ${target}.`)
    for (const kind of ['links', 'unnameable', 'special'] as const)
      if (leftOut[kind].length > 0) warn(`${LEFT_OUT_WORDS[kind]} ${namesOf(leftOut[kind])}.`)
    if (secret.kind === 'configured') say(SECRET_WORDS.configured)
    else if (secret.kind !== 'file') warn(SECRET_WORDS[secret.kind])
  } catch (error) {
    throw error instanceof DataBackupError ? new CommandError(error.message, { cause: error }) : error
  } finally {
    await database.close()
  }
})
