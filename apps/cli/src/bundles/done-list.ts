import { appendFile, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { inState, makeStateFolder } from '../state-folder.ts'

/** List of completed steps. With this list, the same command resumes after an interruption. */
export interface DoneList<T> {
  read(): Promise<T[]>
  add(entry: T): Promise<void>
  forget(): Promise<void>
}

const parsed = <T>(line: string): T[] => {
  try {
    return [JSON.parse(line) as T]
  } catch {
    // A kill during a write leaves an incomplete line.
    return []
  }
}

/**
 * Appends one line for each step, because rewriting the whole file for each of many steps is slow.
 * @param isDurable whether a step is on the disk before `add` returns, so that it survives a power failure
 */
export function doneList<T>(file: string, { isDurable = false } = {}): DoneList<T> {
  const append = async (entry: T) => {
    await makeStateFolder(dirname(file))
    // Starts with a line break, because the last line can be incomplete after a kill.
    await appendFile(file, `\n${JSON.stringify(entry)}`, { mode: 0o600, flush: isDurable })
  }
  return {
    async read() {
      const text = await readFile(file, 'utf8').catch(() => '')
      return text.split('\n').flatMap((line) => parsed<T>(line))
    },
    add: (entry) => inState(file, append(entry)),
    forget: () => inState(file, rm(file, { force: true })),
  }
}
