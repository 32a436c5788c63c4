import { homedir } from 'node:os'
import { join } from 'node:path'

/** Process environment of a command. Tests supply another environment. */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** Folder that relative file names are resolved against. */
  readonly folder: string
}

export function processEnvironment(): Environment {
  return {
    // eslint-disable-next-line no-restricted-properties -- the only place where the command line reads it
    variables: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    folder: process.cwd(),
  }
}

type Variables = Environment['variables']

/** Path of the file that stores the server and the API key. */
export function configFile(variables: Variables): string {
  const base = variables['XDG_CONFIG_HOME'] || variables['APPDATA'] || join(homedir(), '.config')
  return join(base, 'dropleaf', 'cli.json')
}

/** Path of the folder that stores the state of uploads and downloads. */
export function stateFolder(variables: Variables): string {
  const base = variables['XDG_STATE_HOME'] || variables['LOCALAPPDATA'] || join(homedir(), '.local', 'state')
  return join(base, 'dropleaf')
}
