import type { Body, CopyOptions, ObjectStat, WriteOptions } from '../driver.ts'
import { releaseOf } from '../chunk-memory.ts'
import { meter, requireFits, requireWhole, withBody } from '../body.ts'
import { isFolderKey, type StorageKey } from '../keys.ts'
import { toObjectStat } from './object-stat.ts'
import { place, type Placement, requirePlace } from './place.ts'
import { readObject } from './reading.ts'
import type { DiskRoot } from './root.ts'
import { receive, seal, withSmallFile, withTemporaryFile } from './temporary.ts'

/**
 * Maximum declared size of a body that is read immediately. For a larger body, or a stream of unknown size, the final
 * name is checked before the bytes are read.
 */
const SOON_MAX_BYTES = 256 * 1024

export async function writeObject(
  root: DiskRoot,
  key: StorageKey,
  body: Body,
  o: WriteOptions = {},
): Promise<ObjectStat> {
  const { ifAbsent = false, ifMatch, intoFolder, sizeBytes = Infinity, signal } = o
  const placement = { key, ifAbsent, ifMatch, intoFolder }
  const limits = isFolderKey(key) ? { ...o, maxBytes: 0 } : o
  if (Buffer.isBuffer(body)) {
    signal?.throwIfAborted()
    requireWhole(body, limits)
    return root.syncs ? store(root, [body], placement) : storeAtOnce(root, body, placement)
  }
  return withBody(
    body,
    async () => {
      signal?.throwIfAborted()
      requireFits(limits)
      if (sizeBytes > SOON_MAX_BYTES) await requirePlace(root, placement)
      return store(root, meter(body, limits), placement, releaseOf(body))
    },
    signal,
  )
}

function store(
  root: DiskRoot,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  placement: Placement,
  release?: (chunk: Buffer) => void,
): Promise<ObjectStat> {
  return withTemporaryFile(root, async (file) => {
    await receive(chunks, file, release)
    const stats = await seal(file)
    await place(root, file.path, placement)
    return toObjectStat(placement.key, stats)
  })
}

const storeAtOnce = (root: DiskRoot, bytes: Buffer, placement: Placement): Promise<ObjectStat> =>
  withSmallFile(root, bytes, async (path, stats) => {
    await place(root, path, placement)
    return toObjectStat(placement.key, stats)
  })

/** Streams the bytes into a new file, so that memory use stays flat and the signal can abort the copy. */
export async function copyObject(
  root: DiskRoot,
  from: StorageKey,
  to: StorageKey,
  o: CopyOptions = {},
): Promise<ObjectStat> {
  const { body, stat } = await readObject(root, from)
  return writeObject(root, to, body, { ...o, sizeBytes: stat.sizeBytes })
}
