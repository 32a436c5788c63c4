import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CliError, EXIT, usageError } from './errors.ts'
import { configFile, type Environment } from './environment.ts'
import { parseServer } from './links.ts'
import type { Options } from './options.ts'

/** Stored server and API key. */
export interface Login {
  readonly server: string
  readonly key: string
}

const PRIVATE = 0o600
const OTHERS = 0o077

/** @throws {CliError} if other users can read the file, or it is damaged */
async function findLogin(variables: Environment['variables']): Promise<Login | null> {
  const file = configFile(variables)
  let text: string
  try {
    const { mode } = await stat(file)
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      throw new CliError({ exitCode: EXIT.failed, text: 'config.open', params: { file } })
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof CliError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new CliError({ exitCode: EXIT.failed, text: 'config.broken', params: { file }, cause: error })
  }
  try {
    const { server, key } = JSON.parse(text) as Partial<Login>
    if (typeof server === 'string' && typeof key === 'string') return { server, key }
  } catch {
    // Invalid JSON is reported below.
  }
  throw new CliError({ exitCode: EXIT.failed, text: 'config.broken', params: { file } })
}

/** @throws {CliError} if the login file cannot be changed */
async function changeLogin(file: string, change: () => Promise<void>): Promise<void> {
  try {
    await change()
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const params = { file, detail: code ?? message }
    throw new CliError({ exitCode: EXIT.failed, text: 'config.unusable', params, cause })
  }
}

/** Stores a login in a private file. @returns its path. @throws {CliError} */
export async function keepLogin(variables: Environment['variables'], login: Login): Promise<string> {
  const file = configFile(variables)
  await changeLogin(file, async () => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, `${JSON.stringify(login, null, 2)}\n`, { mode: PRIVATE })
    // Sets the mode, because `writeFile` does not change the mode of an existing file.
    await chmod(file, PRIVATE)
  })
  return file
}

/** @throws {CliError} if the login file cannot be deleted */
export async function forgetLogin(variables: Environment['variables']): Promise<void> {
  const file = configFile(variables)
  await changeLogin(file, () => rm(file, { force: true }))
}

/**
 * Returns the selected server and its API key. A stored key is sent only to its own server.
 * @throws {CliError} without a server, or if the stored login is needed and cannot be read
 */
export async function resolveConnection(
  { variables }: Environment,
  options: Options,
): Promise<{ server: string; key: string | null }> {
  const named = options.server ?? variables['DROPLEAF_SERVER']
  const key = options.key ?? (variables['DROPLEAF_KEY'] || undefined)
  const isKnown = named !== undefined && named !== '' && key !== undefined
  const login = isKnown ? null : await findLogin(variables)
  const server = named === undefined || named === '' ? login?.server : parseServer(named)
  if (server === undefined) throw usageError('usage.no_server')
  return { server, key: key ?? (login?.server === server ? login.key : null) }
}

/** Like {@link resolveConnection}, but an API key is required. @throws {CliError} without a server or an API key */
export async function requireConnection(environment: Environment, options: Options): Promise<Login> {
  const { server, key } = await resolveConnection(environment, options)
  if (key === null) throw usageError('usage.no_key')
  return { server, key }
}
