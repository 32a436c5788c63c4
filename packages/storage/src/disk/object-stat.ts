import type { BigIntStats } from 'node:fs'
import type { ObjectStat } from '../driver.ts'
import type { StorageKey } from '../keys.ts'

/** What tells one version of a file from another. */
export type FileVersion = Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs'>

/**
 * Made of inode, size and time of change, so that no file is read for it: a write makes a new file, with a new inode,
 * and an edit in place by another program moves the time.
 */
export function etagOf(stats: FileVersion): string {
  return [stats.ino, stats.size, stats.mtimeNs].map((part) => part.toString(16)).join('-')
}

export function toObjectStat(key: StorageKey, stats: FileVersion): ObjectStat {
  return {
    key,
    sizeBytes: Number(stats.size),
    etag: etagOf(stats),
    modifiedAtMs: Number(stats.mtimeNs / 1_000_000n),
  }
}
