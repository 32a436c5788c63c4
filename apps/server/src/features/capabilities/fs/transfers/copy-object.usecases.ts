import { Readable, Transform } from 'node:stream'
import {
  isFolderKey,
  type ObjectStat,
  type StorageDriver,
  StorageError,
  type StorageKey,
} from '@dropleaf/storage'
import { inferMimeType } from '../../../../lib/mime.ts'
import { nameOf } from '../../../../lib/object-names.ts'

/** Storage and key of an object. */
export interface ObjectPlace {
  readonly configId: string
  readonly driver: StorageDriver
  readonly key: StorageKey
}

export interface CopyObjectOptions {
  readonly ifAbsent: boolean
  /** Has the same meaning as in `WriteOptions`. */
  readonly intoFolder?: string | undefined
  readonly signal: AbortSignal
  /** Called during the copy with the number of bytes copied since the previous call. */
  readonly onBytes: (bytes: number) => void
}

/** Counts the bytes of a stream, and forwards its error. */
function counted(source: Readable, onBytes: (bytes: number) => void): Readable {
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes(chunk.length)
      done(null, chunk)
    },
  })
  source.on('error', (error) => body.destroy(error))
  body.on('close', () => source.destroy())
  return source.pipe(body)
}

/** Size above which an object is copied in parts. The parts are invisible until the copy is complete. */
const ONE_REQUEST_MAX_BYTES = 5 * 1024 ** 3

async function streamObject(from: ObjectPlace, to: ObjectPlace, o: CopyObjectOptions): Promise<ObjectStat> {
  const { body, stat } = await from.driver.read(from.key, { signal: o.signal })
  return to.driver.write(to.key, counted(body, o.onBytes), {
    sizeBytes: stat.sizeBytes,
    contentType: stat.contentType ?? inferMimeType(nameOf(to.key)),
    ifAbsent: o.ifAbsent,
    intoFolder: o.intoFolder,
    signal: o.signal,
  })
}

/**
 * Copies one object within its storage or to another storage, and checks the size of the copy.
 * @returns the metadata of the copy.
 * @throws {StorageError} `storage.exists` with `ifAbsent`; `storage.folder_missing` with `intoFolder`;
 * `storage.incomplete`; as `copy`, `read` and `write` of the drivers
 */
export async function copyObject(
  from: ObjectPlace & { readonly sizeBytes: number },
  to: ObjectPlace,
  o: CopyObjectOptions,
): Promise<ObjectStat> {
  const { ifAbsent, intoFolder } = o
  if (isFolderKey(from.key)) return to.driver.write(to.key, Readable.from([]), { sizeBytes: 0, intoFolder })
  if (from.configId !== to.configId) return streamObject(from, to, o)
  o.signal.throwIfAborted()
  // Does not abort a copy by a bucket, because the bucket would complete it anyway and could then overwrite a newer
  // object.
  const isUnstoppable = from.driver.kind === 's3' && from.sizeBytes <= ONE_REQUEST_MAX_BYTES
  const signal = isUnstoppable ? undefined : o.signal
  const copy = await from.driver.copy(from.key, to.key, { ifAbsent, intoFolder, signal })
  // Compares the copy with the listed size of the source, not with its current version. A move checks the copy again
  // before it deletes the source.
  if (copy.sizeBytes !== from.sizeBytes) await requireNewer(from, copy)
  o.onBytes(copy.sizeBytes)
  return copy
}

/**
 * Checks that a copy whose size differs from the listed size is a copy of a newer version of the source.
 * @throws {StorageError} `storage.incomplete`
 */
async function requireNewer(from: ObjectPlace, copy: ObjectStat): Promise<void> {
  const now = await from.driver.stat(from.key)
  if (now?.sizeBytes !== copy.sizeBytes)
    throw new StorageError('storage.incomplete', 'The copy is not whole.')
}

async function* chunksOf(place: ObjectPlace, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const { body } = await place.driver.read(place.key, { signal })
  for await (const chunk of body) yield chunk as Buffer
}

/**
 * Returns whether two objects have the same bytes. Objects with equal etags and sizes count as equal; otherwise the
 * bytes of both are compared.
 */
export async function isSameObject(
  a: ObjectPlace & { readonly sizeBytes: number; readonly etag: string },
  b: ObjectPlace,
  signal?: AbortSignal,
): Promise<boolean> {
  const stat = await b.driver.stat(b.key, { signal })
  if (!stat || stat.sizeBytes !== a.sizeBytes) return false
  if (stat.etag === a.etag || stat.sizeBytes === 0) return true
  return isSameStream(chunksOf(a, signal), chunksOf(b, signal))
}

async function isSameStream(a: AsyncGenerator<Buffer>, b: AsyncGenerator<Buffer>): Promise<boolean> {
  let left = Buffer.alloc(0)
  let right = Buffer.alloc(0)
  try {
    for (;;) {
      if (left.length === 0) left = (await a.next()).value ?? Buffer.alloc(0)
      if (right.length === 0) right = (await b.next()).value ?? Buffer.alloc(0)
      const length = Math.min(left.length, right.length)
      if (length === 0) return left.length === right.length
      if (!left.subarray(0, length).equals(right.subarray(0, length))) return false
      left = left.subarray(length)
      right = right.subarray(length)
    }
  } finally {
    await Promise.all([a.return(undefined), b.return(undefined)])
  }
}
