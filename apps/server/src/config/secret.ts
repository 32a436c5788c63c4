import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Clock } from '../lib/clock.ts'
import { createSecrets } from '../lib/secrets.ts'
import type { Config } from './config.ts'

/** Under this name the settings hold by which secret the database was filled, as a fingerprint. */
export const SECRET_CHECK_KEY = 'secret_check'

interface SettingsOnly {
  settings: { key: string; value: string; updated_at_ms: number }
}

/** Where the generated secret is, and where the next one lies while everything is sealed anew. */
export const secretFiles = (dataDir: string) => ({
  current: join(dataDir, 'secret.key'),
  next: join(dataDir, 'secret.key.next'),
})

/** Reads the generated secret, making it at the first start. Two processes that start at once agree on one. */
async function readGeneratedSecret(dataDir: string): Promise<string> {
  const file = secretFiles(dataDir).current
  const read = async () => (await readFile(file, 'utf8')).trim()
  try {
    return await read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
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
  return read()
}

/** Whether the database was filled under the generated secret that a rotation has not put in its place any more. */
async function isRotated(dataDir: string, check: string): Promise<boolean> {
  const next = await readFile(secretFiles(dataDir).next, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return ''
  })
  return next !== '' && createSecrets(next.trim()).fingerprint(SECRET_CHECK_KEY) === check
}

/**
 * The secret that everything stored is sealed with: `ENCRYPTION_SECRET`, else the generated one in the data folder.
 * @throws {Error} when the database was filled under another secret: going on would make every stored credential unreadable.
 */
export async function loadSecret(
  config: Config,
  db: Kysely<SettingsOnly & object>,
  clock: Clock,
): Promise<string> {
  const secret = config.encryptionSecret ?? (await readGeneratedSecret(config.dataDir))
  const fingerprint = createSecrets(secret).fingerprint(SECRET_CHECK_KEY)
  const settings = db as unknown as Kysely<SettingsOnly>
  await settings
    .insertInto('settings')
    .values({ key: SECRET_CHECK_KEY, value: fingerprint, updated_at_ms: clock.nowMs() })
    .onConflict((c) => c.column('key').doNothing())
    .execute()
  const stored = await settings
    .selectFrom('settings')
    .select('value')
    .where('key', '=', SECRET_CHECK_KEY)
    .executeTakeFirst()
  if (stored?.value !== fingerprint) {
    if (stored && (await isRotated(config.dataDir, stored.value)))
      throw new Error(
        'A change of the secret was broken off right before its end: the database has the new one already. Run npm run rotate-secret once more.',
      )
    throw new Error(
      'This database was filled under another ENCRYPTION_SECRET. Set the one it was made with (or put back secret.key in DATA_DIR); ' +
        'with a different one the stored API keys and storage credentials cannot be read. ' +
        'To change the secret, stop the server and use npm run rotate-secret.',
    )
  }
  return secret
}
