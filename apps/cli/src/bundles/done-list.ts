import { appendFile, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { inState, makeStateFolder } from '../state-folder.ts'

/** What is done of an operation with many steps, so that the same command goes on after an interruption. */
export interface DoneList<T> {
  read(): Promise<T[]>
  add(entry: T): Promise<void>
  forget(): Promise<void>
}

const parsed = <T>(line: string): T[] => {
  try {
    return [JSON.parse(line) as T]
  } catch {
    // A kill can cut the last line.
    return []
  }
}

/** Stores one line for each step, because a file that is written whole each time would be slow for many of them. */
export function doneList<T>(file: string): DoneList<T> {
  const append = async (entry: T) => {
    await makeStateFolder(dirname(file))
    // Starts with a line break, because a kill can leave the last line without one.
    await appendFile(file, `\n${JSON.stringify(entry)}`, { mode: 0o600 })
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
