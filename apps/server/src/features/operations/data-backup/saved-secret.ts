import { readFile } from 'node:fs/promises'
import type { Config } from '../../../config/config.ts'
import { SECRET_CHECK_KEY, secretFiles } from '../../../config/secret.ts'
import { createSecrets } from '../../../lib/secrets.ts'
import { isMissing } from './saved-files.ts'

/**
 * Where a database's secret is: in a file, or in the configuration (`configured`). If it is in neither, the result is `wrong`
 * when the configuration has another secret, and `unknown` when it has none.
 */
export type SecretPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'configured' | 'wrong' | 'unknown' }

const fits = (secret: string, check: string) => createSecrets(secret).fingerprint(SECRET_CHECK_KEY) === check

async function fitsFile(path: string, check: string): Promise<boolean> {
  const secret = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return ''
    throw error
  })
  return secret.trim() !== '' && fits(secret.trim(), check)
}

/** @param check of the database; `null` if no server has used it */
export async function findSecret(config: Config, check: string | null): Promise<SecretPlace> {
  const { current, next } = secretFiles(config.dataDir)
  const configured = config.encryptionSecret
  if (check === null) return configured === null ? { kind: 'file', path: current } : { kind: 'configured' }
  if (configured !== null && fits(configured, check)) return { kind: 'configured' }
  // A rotation interrupted just before its end has left it under the other name.
  for (const path of [current, next]) if (await fitsFile(path, check)) return { kind: 'file', path }
  return { kind: configured === null ? 'unknown' : 'wrong' }
}
