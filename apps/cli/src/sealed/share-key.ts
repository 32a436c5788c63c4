import {
  type Bytes,
  derivePassword,
  parseLinkKey,
  type ShareKeys,
  type ShareSalts,
  unlockShare,
} from '@dropleaf/seal'
import { ask } from '../ask.ts'
import { CliError, EXIT } from '../errors.ts'
import { readPassword, type Run } from '../run.ts'
import { translate } from '../texts/index.ts'
import { withSealWords } from './words.ts'

const VARIABLE = 'DROPLEAF_SHARE_KEY'

/** Whether the link or the environment contains a key. */
export const hasShareKey = ({ environment }: Run, linkKey: string | null): boolean =>
  linkKey !== null || Boolean(environment.variables[VARIABLE])

async function askSecret({ environment, language }: Run, text: 'ask.share_key' | 'ask.password') {
  if (!environment.stdin.isTTY) return null
  const [answer = ''] = await ask(environment, [{ text: translate(language, text), isSecret: true }])
  return answer === '' ? null : answer
}

/**
 * Returns the key of a sealed bundle from the link, the environment or the terminal. The user can also enter the
 * whole link.
 * @throws {CliError}
 */
async function readShareKey(run: Run, linkKey: string | null): Promise<Bytes> {
  const given = linkKey ?? (run.environment.variables[VARIABLE] || (await askSecret(run, 'ask.share_key')))
  if (given === null) throw new CliError({ exitCode: EXIT.credential, text: 'seal.no_key' })
  const read = async () => parseLinkKey(given.replace(/^.*#/s, ''))
  return withSealWords('', read())
}

/** Returns the password of a sealed bundle from the options, the environment or the terminal. @throws {CliError} */
async function readSealPassword(run: Run): Promise<string> {
  const password = (await readPassword(run)) ?? (await askSecret(run, 'ask.password'))
  if (password === null) throw new CliError({ exitCode: EXIT.credential, text: 'get.password' })
  return password
}

/** Derives the keys of a sealed bundle from its link and password. @throws {CliError} */
export async function unlock(
  run: Run,
  { linkKey, salts }: { readonly linkKey: string | null; readonly salts: ShareSalts },
): Promise<ShareKeys> {
  const secret = await readShareKey(run, linkKey)
  const password = salts.kdf === null ? null : await readSealPassword(run)
  return withSealWords('', unlockShare({ secret, salts, password, derivePassword }))
}
