import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { backupData, DataBackupError } from '../features/data-backup/backup-data.usecases.ts'
import { systemClock } from '../lib/clock.ts'
import { callerFolder, CommandError, openConfigured, runCommand, say } from './command.ts'

await runCommand(async (config, args) => {
  const nowMs = systemClock.nowMs()
  const [
    name = `dropleaf-backup-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '')}`,
    ...rest
  ] = args
  if (rest.length > 0 || name.startsWith('-')) throw new CommandError('Usage: npm run backup -- [FOLDER]')
  const target = resolve(callerFolder(), name)
  if (config.databaseUrl === null)
    await access(join(config.dataDir, 'dropleaf.sqlite')).catch((cause: unknown) => {
      throw new CommandError(`There is no database in ${config.dataDir}. Set DATA_DIR as for the server.`, {
        cause,
      })
    })
  const database = await openConfigured(config)
  try {
    const { manifest, links } = await backupData(database, { config, target, nowMs })
    const bytes = manifest.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    say(`${manifest.files.length} files, ${bytes} bytes, in ${target}.`)
    if (links.length > 0) say(`Symbolic links are not followed and not in it: ${links.join(', ')}.`)
    if (config.encryptionSecret !== null)
      say('ENCRYPTION_SECRET is not in it. Keep it elsewhere; without it the backup is of little use.')
  } catch (error) {
    throw error instanceof DataBackupError ? new CommandError(error.message, { cause: error }) : error
  } finally {
    await database.close()
  }
})
