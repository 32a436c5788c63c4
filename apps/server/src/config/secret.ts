import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Clock } from '../lib/clock.ts'
import { callOf } from '../lib/call-of.ts'
import { createSecrets } from '../lib/secrets.ts'
import { StartError } from '../lib/start-error.ts'
import type { Config } from './config.ts'

/** Settings key of the fingerprint of the secret that the database uses. */
export const SECRET_CHECK_KEY = 'secret_check'

interface SettingsOnly {
  settings: { key: string; value: string; updated_at_ms: number }
}

/** Paths of the generated secret, and of the next one during a rotation. */
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

/** Creates the secret atomically: two processes that start at once use the same one. */
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

/** Whether the database already uses the next secret, which an interrupted rotation has not renamed. */
async function isRotated(dataDir: string, check: string): Promise<boolean> {
  const next = await readFile(secretFiles(dataDir).next, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return ''
  })
  return next !== '' && createSecrets(next.trim()).fingerprint(SECRET_CHECK_KEY) === check
}

/**
 * The generated secret. Created only for a new database: for others a new one would hide that the secret is missing.
 * @throws {StartError} if it is missing and the database is not new.
 */
async function readGeneratedSecret(dataDir: string, findCheck: () => Promise<string | undefined>) {
  const secret = await findGeneratedSecret(dataDir)
  if (secret !== null) return secret
  if ((await findCheck()) === undefined) return makeGeneratedSecret(dataDir)
  // Another process that has filled the database meanwhile, from the same folder, wrote the file first.
  const late = await findGeneratedSecret(dataDir)
  if (late !== null) return late
  throw new StartError(
    `This database was filled under a secret that is not here: ENCRYPTION_SECRET is not set, and there is no ${secretFiles(dataDir).current}. ` +
      'Set the one, or put back the other.',
  )
}

/**
 * The master secret: `ENCRYPTION_SECRET`, else the generated one in the data folder.
 * @throws {StartError} if the database uses another secret: every stored credential would be unreadable.
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
