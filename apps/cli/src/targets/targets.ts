import { constants } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { arriving, BYTES_HEADERS, refusalOf, request, textOf, unreachable } from '../client.ts'
import { onDisk } from '../disk.ts'
import { usageError } from '../errors.ts'
import type { Run } from '../run.ts'

/** Targets of the command `get`. */

export const STDOUT = '-'

/**
 * Returns the path for the file `name`. If the output option names an existing folder, the path is inside that
 * folder. If the option is anything else, the option is the path. Without the option, the path is in the current
 * folder.
 */
export async function placeOf({ options, environment }: Run, name: string): Promise<string> {
  const place = resolve(environment.folder, options.output ?? name)
  if (options.output === undefined) return place
  const found = await stat(place).catch(() => null)
  return found?.isDirectory() ? join(place, name) : place
}

/** Stats a path itself, without following symbolic links. @throws {CliError} if the disk fails */
export const findAt = (path: string) =>
  onDisk(
    path,
    lstat(path).catch((error: NodeJS.ErrnoException) => {
      // A missing folder causes no error here. The code that writes the file reports it later.
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
      throw error
    }),
  )

/** @throws {CliError} if something exists at the target, unless it is a regular file and `--force` is set */
export async function requireFree(run: Run, path: string): Promise<void> {
  const found = await findAt(path)
  if (found && !found.isFile()) throw usageError('file.special', { file: path })
  if (found && !run.options.force) throw usageError('file.exists', { file: path })
}

/** Flags that overwrite an existing file. They do not follow a symbolic link that was created in the meantime. */
export const OVERWRITING =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0)

/** Writes the bytes at a URL to standard output. @throws {CliError} */
export async function toStdout(run: Run, address: string): Promise<void> {
  const answer = await request(address, { headers: BYTES_HEADERS })
  if (!answer.ok) throw refusalOf(address, { status: answer.status, text: await textOf(address, answer) })
  const body = Readable.from(arriving(address, answer), { objectMode: false })
  await pipeline(body, run.environment.stdout, { end: false }).catch((error: unknown) => {
    throw unreachable(address, error)
  })
}
