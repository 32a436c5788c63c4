import { createHash } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Environment, stateFolder } from './environment.ts'
import { inState, makeStateFolder } from './state-folder.ts'

/** Stored state from which an interrupted operation can be resumed. Changes fail with a `CliError`. */
export interface StateStore<T> {
  find(): Promise<T | null>
  keep(state: T): Promise<void>
  forget(): Promise<void>
}

type StateKind = 'upload' | 'download' | 'bundle-upload' | 'bundle-download' | 'sealed-upload' | 'sealed-open'

/** @param parts identify the operation; the name contains only their digest, because they contain URLs and paths */
export function stateFile(
  { variables }: Environment,
  { kind, parts, ending }: { kind: StateKind; parts: readonly string[]; ending: 'json' | 'done' | 'lock' },
): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
  return join(stateFolder(variables), `${kind}-${digest}.${ending}`)
}

/** @param parts identify the operation, see {@link stateFile} */
export function stateStore<T>(
  environment: Environment,
  kind: StateKind,
  parts: readonly string[],
): StateStore<T> {
  const file = stateFile(environment, { kind, parts, ending: 'json' })
  const folder = dirname(file)
  async function replace(state: T): Promise<void> {
    await makeStateFolder(folder)
    const draft = `${file}.${process.pid}`
    try {
      await writeFile(draft, JSON.stringify(state), { mode: 0o600 })
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined)
      throw error
    }
  }
  return {
    async find() {
      try {
        return JSON.parse(await readFile(file, 'utf8')) as T
      } catch {
        // The state is missing or damaged. The operation starts from the beginning.
        return null
      }
    },
    keep: (state) => inState(file, replace(state)),
    forget: () => inState(file, rm(file, { force: true })),
  }
}
