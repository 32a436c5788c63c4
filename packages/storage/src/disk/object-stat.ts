import type { BigIntStats } from 'node:fs'
import type { ObjectStat } from '../driver.ts'
import type { StorageKey } from '../keys.ts'

export type FileVersion = Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs'>

/**
 * Builds an etag from inode, size and modification time, so that no file has to be read. A write creates a file with a
 * new inode; an edit in place by another program changes the time.
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
