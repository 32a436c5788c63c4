import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Environment } from './environment.ts'
import { CliError, EXIT } from './errors.ts'
import { unreadable } from './local-file.ts'

/**
 * Reads the text of a file, or of standard input for `-`.
 * @throws {CliError} if the text is unreadable, empty or not valid UTF-8
 */
export async function readText(environment: Environment, name: string): Promise<string> {
  const path = resolve(environment.folder, name)
  const bytes =
    name === '-'
      ? await buffer(environment.stdin)
      : await readFile(path).catch((error: unknown) => {
          throw unreadable(name, error)
        })
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new CliError({ exitCode: EXIT.failed, text: 'text.not_utf8', cause })
  }
  if (text.trim() === '') throw new CliError({ exitCode: EXIT.failed, text: 'text.empty' })
  return text
}
