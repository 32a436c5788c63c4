import { PIN_PATTERN } from '@dropleaf/contract'
import type { Connection } from './client.ts'
import type { Environment } from './environment.ts'
import type { Options } from './options.ts'
import { ask } from './ask.ts'
import { requireConnection } from './settings.ts'
import { CliError, EXIT, usageError } from './errors.ts'
import { type Language, type TextKey, type TextParams, translate } from './texts/index.ts'

/** Input of a command. */
export interface Run {
  readonly environment: Environment
  readonly language: Language
  readonly options: Options
  readonly names: readonly string[]
  /** Writes results to standard output. */
  print(text: string): void
  /** Writes messages to standard error. */
  note(key: TextKey, params?: TextParams): void
}

/** @throws {CliError} without a server or an API key */
export async function connect({ environment, options, language }: Run): Promise<Connection> {
  return { ...(await requireConnection(environment, options)), language }
}

/**
 * Returns the password of a share from the options, the environment, or with `--ask-password` from the terminal; `null`
 * if there is none.
 * @throws {CliError} if the password must be asked for, but there is no terminal
 */
export async function readPassword({ environment, options, language }: Run): Promise<string | null> {
  if (options.password !== undefined) return options.password
  if (!options['ask-password']) return environment.variables['DROPLEAF_PASSWORD'] || null
  if (!environment.stdin.isTTY) throw usageError('usage.no_terminal')
  const text = translate(language, 'ask.password')
  const [password = ''] = await ask(environment, [{ text, isSecret: true }])
  return password === '' ? null : password
}

/**
 * Returns the PIN of a share from the options or the environment; `null` if there is none.
 * @throws {CliError} if the PIN is not 4 to 8 digits
 */
export function readPin({ environment, options }: Run): string | null {
  const pin = options.pin ?? environment.variables['DROPLEAF_PIN'] ?? ''
  if (pin === '') return null
  if (!PIN_PATTERN.test(pin)) throw usageError('usage.pin')
  return pin
}

/** Asks for the PIN of a share. Returns `null` without a terminal, or for an empty answer. */
export async function askPin({ environment, language }: Run): Promise<string | null> {
  if (!environment.stdin.isTTY) return null
  const [pin = ''] = await ask(environment, [{ text: translate(language, 'ask.pin'), isSecret: true }])
  return pin === '' ? null : pin
}

export const printJson = (run: Run, value: unknown): void => run.print(JSON.stringify(value))

/** Returns the message of an error in the user's language. */
export const wordsOf = ({ language }: Run, { text, message, params }: CliError): string =>
  text === null ? message : translate(language, text, params)

/**
 * Adds to the error of an interrupted operation that the operation can be resumed. @param text contains `file` and
 * `detail`
 */
export function brokenOff(
  run: Run,
  text: TextKey,
  { file, error }: { file: string; error: unknown },
): unknown {
  if (!(error instanceof CliError) || error.exitCode !== EXIT.network) return error
  const { exitCode, code, status } = error
  const params = { file, detail: wordsOf(run, error) }
  return new CliError({ exitCode, text, params, code, status, cause: error })
}
