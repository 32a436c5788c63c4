import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { DataBackupError } from '../features/data-backup/backup-data.usecases.ts'
import {
  requireFreeDatabase,
  restoreFiles,
  type RestoreOrder,
  restoreTables,
  verifyBackup,
} from '../features/data-backup/restore-data.usecases.ts'
import { systemClock } from '../lib/clock.ts'
import { callerFolder, CommandError, openConfigured, runCommand, say, withoutServer } from './command.ts'

async function restorePostgres(config: Config, order: RestoreOrder): Promise<string | null> {
  const database = await openConfigured(config)
  try {
    await requireFreeDatabase(database, order.isForced)
    const aside = await restoreFiles(order)
    await restoreTables(database, order)
    return aside
  } finally {
    await database.close()
  }
}

await runCommand(async (config, args) => {
  const isForced = args.includes('--force')
  const [name, ...rest] = args.filter((arg) => arg !== '--force')
  if (name === undefined || rest.length > 0 || name.startsWith('-'))
    throw new CommandError('Usage: npm run restore -- FOLDER [--force]')
  const source = resolve(callerFolder(), name)
  try {
    const backup = await verifyBackup(source, config)
    say(`The backup of ${backup.createdAt} is whole.`)
    const order: RestoreOrder = { source, backup, config, isForced, nowMs: systemClock.nowMs() }
    const aside = await withoutServer(config, () =>
      config.databaseUrl === null ? restoreFiles(order) : restorePostgres(config, order),
    )
    if (aside !== null) say(`What was there is in ${aside} now.`)
    say('Restored. Start the server with the same ENCRYPTION_SECRET as then, if one was set.')
  } catch (error) {
    throw error instanceof DataBackupError ? new CommandError(error.message, { cause: error }) : error
  }
})
