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

/** Two steps of a write in the file system. Both reject with system errors. */
export interface Steps {
  readonly realpath: (path: string) => Promise<string>
  readonly rename: (from: string, to: string) => Promise<void>
}

/**
 * If `syncs` is false, the steps run in this thread. A small write then takes only microseconds, because it changes
 * nothing but memory. Another thread for each step would make the write three times as slow. If `syncs` is true, other
 * threads wait for the disk.
 */
export const stepsOf = ({ syncs }: { syncs: boolean }): Steps =>
  syncs
    ? { realpath, rename }
    : {
        // oxlint-disable-next-line typescript/require-await -- async turns a thrown error into a rejection
        realpath: async (path) => realpathSync.native(path),
        // oxlint-disable-next-line typescript/require-await -- async turns a thrown error into a rejection
        rename: async (from, to) => renameSync(from, to),
      }

/** Writes a new file in this thread. @throws system errors; a partly written file is left behind */
export function writeNewFile(path: string, bytes: Buffer): BigIntStats {
  const fd = openSync(path, 'wx')
  try {
    writeFileSync(fd, bytes)
    return fstatSync(fd, { bigint: true })
  } finally {
    closeSync(fd)
  }
}
