import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Clock } from '../lib/clock.ts'
import { callOf } from '../lib/call-of.ts'
import { createSecrets } from '../lib/secrets.ts'
import { StartError } from '../lib/start-error.ts'
import type { Config } from './config.ts'

/** Key in the settings table for the fingerprint of the secret in use. */
export const SECRET_CHECK_KEY = 'secret_check'

interface SettingsOnly {
  settings: { key: string; value: string; updated_at_ms: number }
}

/** Paths of the generated secret, and of the next secret during a rotation. */
export const secretFiles = (dataDir: string) => ({
  current: join(dataDir, 'secret.key'),
  next: join(dataDir, 'secret.key.next'),
})

async function findGeneratedSecret(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(secretFiles(dataDir).current, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  }
}

/** Creates the secret atomically, so that two processes that start at the same time use the same secret. */
async function makeGeneratedSecret(dataDir: string): Promise<string> {
  const file = secretFiles(dataDir).current
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  return (await readFile(file, 'utf8')).trim()
}

/**
 * Whether the database already uses the next secret. A rotation that was interrupted before it renamed the file of the
 * secret leaves this state.
 */
async function isRotated(dataDir: string, check: string): Promise<boolean> {
  const next = await readFile(secretFiles(dataDir).next, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return ''
  })
  return next !== '' && createSecrets(next.trim()).fingerprint(SECRET_CHECK_KEY) === check
}

/**
 * Reads the generated secret. Creates a secret only for a new database. For an existing database, a new secret would
 * hide that the old secret is missing.
 * @throws {StartError} if the secret is missing and the database is not new
 */
async function readGeneratedSecret(dataDir: string, findCheck: () => Promise<string | undefined>) {
  const secret = await findGeneratedSecret(dataDir)
  if (secret !== null) return secret
  if ((await findCheck()) === undefined) return makeGeneratedSecret(dataDir)
  // Looks for the secret again, because another process with the same data folder may have created it and set up the
  // database meanwhile.
  const late = await findGeneratedSecret(dataDir)
  if (late !== null) return late
  throw new StartError(
    `This database was filled under a secret that is not here: ENCRYPTION_SECRET is not set, and there is no ${secretFiles(dataDir).current}. ` +
      'Set the one, or put back the other.',
  )
}

/**
 * Returns the master secret: `ENCRYPTION_SECRET`, or else the generated secret in the data folder.
 * @throws {StartError} if the database uses another secret, which would make every stored credential unreadable; if
 * the generated secret of an existing database is missing; if a rotation was interrupted just before its end
 */
export async function loadSecret(
  config: Config,
  db: Kysely<SettingsOnly & object>,
  clock: Clock,
): Promise<string> {
  const settings = db as unknown as Kysely<SettingsOnly>
  const findCheck = async () => {
    const query = settings.selectFrom('settings').select('value').where('key', '=', SECRET_CHECK_KEY)
    return (await query.executeTakeFirst())?.value
  }
  const secret = config.encryptionSecret ?? (await readGeneratedSecret(config.dataDir, findCheck))
  const fingerprint = createSecrets(secret).fingerprint(SECRET_CHECK_KEY)
  await settings
    .insertInto('settings')
    .values({ key: SECRET_CHECK_KEY, value: fingerprint, updated_at_ms: clock.nowMs() })
    .onConflict((c) => c.column('key').doNothing())
    .execute()
  const stored = await findCheck()
  if (stored !== fingerprint) {
    if (stored !== undefined && (await isRotated(config.dataDir, stored)))
      throw new StartError(
        `A change of the secret was broken off right before its end: the database has the new one already. Run ${callOf('rotate-secret')} once more.`,
      )
    throw new StartError(
      'This database was filled under another ENCRYPTION_SECRET. Set the one it was made with (or put back secret.key in DATA_DIR); ' +
        'with a different one the stored API keys and storage credentials cannot be read. ' +
        `To change the secret, stop the server and use ${callOf('rotate-secret')}.`,
    )
  }
  return secret
}
