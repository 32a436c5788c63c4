import { randomBytes } from 'node:crypto'
import { access, open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import { secretFiles } from '../config/secret.ts'
import { migrateToLatest } from '../db/migrate.ts'
import { RotationError, rotateSecret } from '../features/operations/secret-rotation/rotate.usecases.ts'
import { systemClock } from '../lib/clock.ts'
import { callOf } from '../lib/call-of.ts'
import { CommandError, openExisting, runCommand, say, withoutServer } from './command.ts'

async function readText(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Returns the next generated secret. An interrupted rotation may already have created this secret. */
async function makeNext(file: string): Promise<string> {
  const begun = await readText(file)
  if (begun !== null && begun !== '') return begun
  const secret = randomBytes(32).toString('base64url')
  await writeFile(file, secret, { mode: 0o600, flush: true })
  return secret
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

interface Plan {
  readonly from: string
  readonly to: string
  /** Runs after the database has switched to the new secret. */
  readonly finish: () => Promise<string>
}

/** Finds the old and the new secret. @throws {CommandError} if there is no old secret */
async function planOf(config: Config): Promise<Plan> {
  const files = secretFiles(config.dataDir)
  const generated = await readText(files.current)
  const from = config.encryptionSecretPrevious ?? generated
  if (config.encryptionSecret !== null) {
    if (from === null)
      throw new CommandError(
        'Set ENCRYPTION_SECRET_PREVIOUS to the secret that was used so far; ENCRYPTION_SECRET is the new one.',
      )
    return {
      from,
      to: config.encryptionSecret,
      finish: async () =>
        generated === null
          ? 'Start the server with the new ENCRYPTION_SECRET, without ENCRYPTION_SECRET_PREVIOUS.'
          : `Start the server with the new ENCRYPTION_SECRET. ${files.current} is not used any more and may be deleted.`,
    }
  }
  if (from === null)
    throw new CommandError(
      `There is no ENCRYPTION_SECRET and no ${files.current}: there is nothing to replace.`,
    )
  return {
    from,
    to: await makeNext(files.next),
    finish: async () => {
      // The database uses the next secret now.
      await access(files.next)
      await rename(files.next, files.current)
      await syncFolder(dirname(files.current))
      return `The new secret is in ${files.current}. Start the server; keep a copy of that file.`
    },
  }
}

await runCommand(async (config, args) => {
  if (args.length > 0) throw new CommandError(`Usage: ${callOf('rotate-secret')}`)
  await withoutServer(config, async () => {
    const database = await openExisting(config)
    try {
      const plan = await planOf(config)
      if (plan.from === plan.to) throw new CommandError('The new secret is the one that is used already.')
      await migrateToLatest(database)
      const { sealedAnew } = await rotateSecret(database, { ...plan, clock: systemClock }).catch(
        (error: unknown) => {
          throw error instanceof RotationError ? new CommandError(error.message, { cause: error }) : error
        },
      )
      say(
        sealedAnew === null
          ? 'The database has this secret already; nothing was left to do in it.'
          : `Sealed anew: ${sealedAnew}.`,
      )
      say(await plan.finish())
    } finally {
      await database.close()
    }
  })
})
