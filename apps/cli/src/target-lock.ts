import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Environment, stateFolder } from './environment.ts'
import { CliError, EXIT } from './errors.ts'
import { takeLock } from './lock.ts'

/** One name for a place, whichever links lead to its folder. */
async function realPlace(target: string): Promise<string> {
  const folder = dirname(target)
  return join(await realpath(folder).catch(() => folder), basename(target))
}

/** Fetches to a place while no other process does. @throws {CliError} when one is at it */
export async function withTarget<T>(
  { variables }: Environment,
  target: string,
  work: () => Promise<T>,
): Promise<T> {
  const digest = createHash('sha256')
    .update(await realPlace(target))
    .digest('hex')
    .slice(0, 32)
  const taken = await takeLock(join(stateFolder(variables), `download-${digest}.lock`))
  if ('heldBy' in taken) {
    const params = { file: target, pid: taken.heldBy }
    throw new CliError({ exitCode: EXIT.failed, text: 'get.busy', params })
  }
  try {
    return await work()
  } finally {
    await taken.release()
  }
}
