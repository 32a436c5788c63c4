import {
  type BigIntStats,
  closeSync,
  fstatSync,
  openSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { realpath, rename } from 'node:fs/promises'

/** Steps that every write takes. Both reject with system errors. */
export interface Steps {
  readonly realpath: (path: string) => Promise<string>
  readonly rename: (from: string, to: string) => Promise<void>
}

/**
 * Where nothing is synced, a small write is some microseconds of work in the system's memory, and to hand each of its steps to
 * a thread takes three times as long: this thread does them. Where files are synced, the disk is waited for, in other threads.
 */
export const stepsOf = ({ syncs }: { syncs: boolean }): Steps =>
  syncs
    ? { realpath, rename }
    : {
        // oxlint-disable-next-line typescript/require-await -- what it throws is to be a rejection
        realpath: async (path) => realpathSync.native(path),
        // oxlint-disable-next-line typescript/require-await -- the same
        rename: async (from, to) => renameSync(from, to),
      }

/** Makes a new file of some bytes, in this thread. @throws system errors; what it has made by then stays. */
export function writeNewFile(path: string, bytes: Buffer): BigIntStats {
  const fd = openSync(path, 'wx')
  try {
    writeFileSync(fd, bytes)
    return fstatSync(fd, { bigint: true })
  } finally {
    closeSync(fd)
  }
}
