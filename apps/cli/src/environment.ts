import { homedir } from 'node:os'
import { join } from 'node:path'

/** What a command knows of the world: tests give their own. */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** Folder that names of files are seen from. */
  readonly folder: string
}

export function processEnvironment(): Environment {
  return {
    // eslint-disable-next-line no-restricted-properties -- the one place where the command line reads it
    variables: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    folder: process.cwd(),
  }
}

type Variables = Environment['variables']

/** Where the server and the key are kept. */
export function configFile(variables: Variables): string {
  const base = variables['XDG_CONFIG_HOME'] || variables['APPDATA'] || join(homedir(), '.config')
  return join(base, 'dropleaf', 'cli.json')
}

/** Where it is kept how far uploads and downloads have come. */
export function stateFolder(variables: Variables): string {
  const base = variables['XDG_STATE_HOME'] || variables['LOCALAPPDATA'] || join(homedir(), '.local', 'state')
  return join(base, 'dropleaf')
}
