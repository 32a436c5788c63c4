import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Environment, stateFolder } from '../environment.ts'
import { CliError, EXIT } from '../errors.ts'
import { takeLock } from './lock.ts'
import { inState } from '../state-folder.ts'

/** Resolves symbolic links in the folder of a target. */
async function realPlace(target: string): Promise<string> {
  const folder = dirname(target)
  return join(await realpath(folder).catch(() => folder), basename(target))
}

const busy = (target: string, pid: number | null) =>
  new CliError({
    exitCode: EXIT.failed,
    ...(pid === null
      ? { text: 'get.busy_just_now', params: { file: target } }
      : { text: 'get.busy', params: { file: target, pid } }),
  })

/**
 * Runs a download while no other process writes to the target.
 * @throws {CliError} if another process writes to the target, or the lock cannot be created
 */
export async function withTarget<T>(
  { variables }: Environment,
  target: string,
  work: () => Promise<T>,
): Promise<T> {
  const digest = createHash('sha256')
    .update(await realPlace(target))
    .digest('hex')
    .slice(0, 32)
  const file = join(stateFolder(variables), `download-${digest}.lock`)
  const taken = await inState(file, takeLock(file))
  if ('heldBy' in taken) throw busy(target, taken.heldBy)
  try {
    return await work()
  } finally {
    await taken.release()
  }
}
