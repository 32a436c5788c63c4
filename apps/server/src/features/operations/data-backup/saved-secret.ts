import { readFile } from 'node:fs/promises'
import type { Config } from '../../../config/config.ts'
import { SECRET_CHECK_KEY, secretFiles } from '../../../config/secret.ts'
import { createSecrets } from '../../../lib/secrets.ts'
import { isMissing } from './saved-files.ts'

/**
 * Location of a database's secret: a file, or the configuration (`configured`). `wrong` means that the configuration
 * contains a different secret. `unknown` means that it contains none.
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

/** @param check fingerprint of the database's secret; `null` if no server has used the database */
export async function findSecret(config: Config, check: string | null): Promise<SecretPlace> {
  const { current, next } = secretFiles(config.dataDir)
  const configured = config.encryptionSecret
  if (check === null) return configured === null ? { kind: 'file', path: current } : { kind: 'configured' }
  if (configured !== null && fits(configured, check)) return { kind: 'configured' }
  // A rotation that was interrupted just before its end leaves the secret in the second file.
  for (const path of [current, next]) if (await fitsFile(path, check)) return { kind: 'file', path }
  return { kind: configured === null ? 'unknown' : 'wrong' }
}
