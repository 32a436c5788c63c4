import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { DataBackupError } from '../features/operations/data-backup/backup-data.usecases.ts'
import {
  restoreData,
  type Restored,
  type RestoreOrder,
} from '../features/operations/data-backup/restore-data.usecases.ts'
import {
  type VerifiedBackup,
  verifyBackup,
} from '../features/operations/data-backup/verify-backup.usecases.ts'
import { systemClock } from '../lib/clock.ts'
import { callOf } from '../lib/call-of.ts'
import {
  callerFolder,
  CommandError,
  openConfigured,
  runCommand,
  say,
  warn,
  withoutServer,
} from './command.ts'

const FLAGS = new Set(['--force', '--same-server'])

async function restore(config: Config, order: RestoreOrder): Promise<Restored> {
  if (config.databaseUrl === null) return restoreData(null, order)
  const database = await openConfigured(config)
  try {
    return await restoreData(database, order)
  } finally {
    await database.close()
  }
}

const SECRET_WORDS: Readonly<Record<Exclude<VerifiedBackup['secret'], 'right'>, string>> = {
  missing:
    'The secret is not in the backup: the server starts only with the ENCRYPTION_SECRET of then. Set it before the start.',
  wrong:
    'The secret that the server would have (ENCRYPTION_SECRET, or the secret.key of the backup) is not the one that the backup was made under: the server starts only with that one. Set it as ENCRYPTION_SECRET before the start.',
}

function sayOfBuckets({ forgotten }: Restored, { isSameServer }: RestoreOrder): void {
  if (forgotten === null) return
  const { tasks, uploads, removals } = forgotten
  say(
    `Objects in buckets are as they are now. What was under way there is not gone on with: ${tasks} tasks, ${uploads} uploads, ${removals} deletions.`,
  )
  if (!isSameServer)
    warn(
      'The server that the backup is of may still use these buckets: nothing in them is deleted by itself until an administrator confirms on the dashboard that this server takes its place.',
    )
}

await runCommand(async (config, args) => {
  const [name, ...rest] = args.filter((arg) => !FLAGS.has(arg))
  if (name === undefined || rest.length > 0 || name.startsWith('-'))
    throw new CommandError(`Usage: ${callOf('restore', 'FOLDER [--force] [--same-server]')}`)
  const source = resolve(callerFolder(), name)
  try {
    const { backup, secret } = await verifyBackup(source, config)
    say(`The backup of ${backup.createdAt} is whole.`)
    const order: RestoreOrder = {
      source,
      backup,
      config,
      isForced: args.includes('--force'),
      isSameServer: args.includes('--same-server'),
      nowMs: systemClock.nowMs(),
    }
    const restored = await withoutServer(config, () => restore(config, order))
    if (restored.aside !== null) say(`What was there is in ${restored.aside} now.`)
    say('Restored.')
    sayOfBuckets(restored, order)
    if (secret !== 'right') warn(SECRET_WORDS[secret])
  } catch (error) {
    throw error instanceof DataBackupError ? new CommandError(error.message, { cause: error }) : error
  }
})
