import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Environment, stateFolder } from './environment.ts'
import { CliError, EXIT } from './errors.ts'
import { takeLock } from './lock.ts'
import { inState } from './state-folder.ts'

/** One name for a place, whichever links lead to its folder. */
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

/** Fetches to a place while no other process does. @throws {CliError} when one is at it, or no lock can be made */
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
