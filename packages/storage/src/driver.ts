import type { Readable } from 'node:stream'
import type { StorageError } from './errors.ts'
import type { StorageKey } from './keys.ts'

/**
 * Options of every call that can take a long time. When `signal` aborts, the call rejects with the signal's reason.
 * Short calls on the local disk ignore the signal.
 */
export interface Op {
  signal?: AbortSignal | undefined
}

export interface ObjectStat {
  key: StorageKey
  sizeBytes: number
  /**
   * Etag without quotes. It identifies this version of the bytes. On the local disk it changes with every write; in a
   * bucket, a write of the same bytes can have the same etag. It is not a checksum on every driver.
   */
  etag: string
  modifiedAtMs: number
  /** Absent if unknown: the local disk stores no content types, and a listing or a write might not return them. */
  contentType?: string
  /** Content encoding that the writer declared (S3: `gzip`). Sizes and ranges refer to the encoded bytes. */
  contentEncoding?: string
}

/** A range of bytes. Both positions count from 0 and are inclusive. A `lastByte` past the end means "to the end". */
export interface ByteRange {
  firstByte: number
  lastByte: number
}

export interface ListQuery {
  /**
   * Prefix of the keys; empty for all. The prefix need not end at a folder: `ph` matches `photos/a` and `phone.txt`.
   */
  prefix: string
  /**
   * With `/`, lists one level, in which each folder is one entry, whatever it contains. Without a delimiter, lists
   * every object at any depth.
   */
  delimiter?: '/' | undefined
  /** Maximum number of objects and folders on one page, 1 or more. A driver can return fewer (S3: at most 1,000). */
  limit: number
  /** `nextCursor` of the previous page, with the same prefix and delimiter. */
  cursor?: string | undefined
}

/** A folder. Its `key` ends in `/`. The time is null if the storage stores no time for folders (S3). */
export interface FolderStat {
  key: string
  modifiedAtMs: number | null
}

/**
 * Objects and folders, each sorted by key in UTF-8 byte order. Every key of a later page sorts after all keys of this
 * page.
 *
 * Folder markers: without a delimiter they are objects (their key ends in `/`), so that a recursive copy or removal
 * includes them. With a delimiter the listed folder's own marker is left out, and its children's markers are folders.
 */
export interface ListPage {
  objects: ObjectStat[]
  folders: FolderStat[]
  /**
   * Paths of files and folders of other programs that cannot be keys. They can only be reported. Each path is on
   * exactly one page. The drivers' own files are not included.
   */
  unnamed: string[]
  /**
   * Opaque cursor of the next page; null only at the end of the listing. A short or empty page does not mean the end.
   */
  nextCursor: string | null
}

export interface ReadOptions extends Op {
  range?: ByteRange | undefined
  /**
   * Size of the object, if known. A wrong size does no harm. With a size, an S3 driver can return the first bytes of a
   * large object sooner.
   */
  sizeBytes?: number | undefined
}

export interface ReadResult {
  /** Read the body to its end or destroy it, because it holds a file or a connection. */
  body: Readable
  stat: ObjectStat
  /** Range of the bytes in the body if a range was requested, cut to the object's end; otherwise null. */
  range: ByteRange | null
}

/** The bytes to write: a stream, or a buffer, which is cheaper for a short body. */
export type Body = Readable | Buffer

/** Limits of one body. The driver reads the body to its end, or destroys it if the call fails. */
export interface BodyOptions extends Op {
  /** Exact size. Fewer bytes fail with `storage.incomplete`, more with `storage.too_large`. */
  sizeBytes?: number | undefined
  /** Maximum size. More bytes fail with `storage.too_large`. */
  maxBytes?: number | undefined
}

export interface WriteOptions extends BodyOptions {
  /**
   * Whether to upload a body that is longer than one part in parts, even if one request could send the whole body. The
   * local disk ignores this option.
   */
  inParts?: boolean | undefined
  contentType?: string | undefined
  /** Fails with `storage.exists` instead of replacing an object. Atomic if `capabilities.conditionalWrite`. */
  ifAbsent?: boolean | undefined
  /**
   * Etag of the version to replace. Any other version, or none, fails with `storage.changed`. With
   * `capabilities.conditionalWrite` exactly one of several concurrent writers succeeds.
   */
  ifMatch?: string | undefined
  /**
   * Prefix of a folder above the key, with its slash. If this folder is missing when the object is about to appear, the
   * write fails with `storage.folder_missing` instead of creating the folder. Folders between this folder and the key
   * are created. A bucket cannot check a folder at that time, so the caller must check it.
   */
  intoFolder?: string | undefined
}

export type CopyOptions = Pick<WriteOptions, 'ifAbsent' | 'intoFolder' | 'signal'>

export interface RemoveResult {
  /** Number of keys that no longer exist, including keys that never existed. */
  removed: number
  failed: { key: StorageKey; error: StorageError }[]
}

export interface LinkIssuer {
  readonly by: string
  /** Permission that the issuer must still have. */
  readonly right: string
  /** Base path of the issuer. If it changes, the link becomes invalid. */
  readonly scope: string
  /** The mount through which the object was reached. If the mount is removed, the link becomes invalid. */
  readonly mount?: string | undefined
}

interface IssuedLinkOptions {
  expiresInSeconds: number
  /**
   * Issuer of the link. On the local disk, the link becomes invalid when its issuer loses the permission. S3 cannot
   * enforce this, so the link lasts until it expires.
   */
  issuer?: LinkIssuer | undefined
}

/**
 * Creates URLs that work without our credentials, at most until they expire. Each URL is for one operation on one key.
 */
export interface PresignedLinks {
  /**
   * Creates a URL for GET. The URL also works for HEAD, unless the storage signs the method, as S3 does. The options
   * override response headers.
   */
  get(key: StorageKey, o: GetLinkOptions): Promise<string>
  put(key: StorageKey, o: PutLinkOptions): Promise<string>
  /** Creates a URL for PUT of one part. The response contains the part's `ETag`. */
  part(upload: UploadRef, partNumber: number, o: PartLinkOptions): Promise<string>
}

export interface GetLinkOptions extends IssuedLinkOptions {
  contentType?: string | undefined
  contentDisposition?: string | undefined
}

export interface PutLinkOptions extends IssuedLinkOptions {
  contentType?: string | undefined
  /**
   * Maximum size of the upload. The local disk enforces the limit. S3 cannot enforce it, so check the size after the
   * upload.
   */
  maxBytes?: number | undefined
}

export interface PartLinkOptions extends IssuedLinkOptions {
  /** See {@link PutLinkOptions}. */
  maxBytes?: number | undefined
}

/** Everything needed to resume an upload after a restart, or in another process. */
export interface UploadRef {
  key: StorageKey
  uploadId: string
}

export interface PartRef {
  /** Number of the part, from 1 to 10,000. */
  partNumber: number
  etag: string
}

export interface PartStat extends PartRef {
  sizeBytes: number
}

/** A page of uploaded parts, in ascending order of part numbers. */
export interface PartPage {
  parts: PartStat[]
  nextCursor: string | null
}

/**
 * Uploads an object in parts: in any order, several at once, with retries. Nothing appears under the key before
 * `complete`. Every call except `create` and `abort` fails with `storage.not_found` if the key has no such upload. S3
 * requires at least 5 MiB for every part but the last (`storage.invalid_part` at `complete`).
 */
export interface MultipartUploads {
  create(key: StorageKey, o?: Op & { contentType?: string | undefined }): Promise<UploadRef>
  /**
   * Stores a part. Replaces an earlier part with the same number.
   * @throws {StorageError} `storage.invalid_part` for a number out of range; `storage.too_large`, `storage.incomplete`,
   * `storage.full`
   */
  uploadPart(upload: UploadRef, partNumber: number, body: Readable, o?: BodyOptions): Promise<PartStat>
  listParts(upload: UploadRef, o?: Op & { limit?: number; cursor?: string | undefined }): Promise<PartPage>
  /**
   * Joins the given parts, in ascending order, into the object, and deletes the upload. If the call fails, the parts
   * stay.
   * @throws {StorageError} `storage.invalid_part` for an empty list, a wrong order, a missing part, or a different
   * etag; `storage.exists` with `ifAbsent`, or on the local disk if a folder has the name
   */
  complete(upload: UploadRef, parts: readonly PartRef[], o?: CopyOptions): Promise<ObjectStat>
  /** Removes the parts. Succeeds if the upload does not exist. */
  abort(upload: UploadRef, o?: Op): Promise<void>
}

export interface SweepOptions extends Op {
  /** Minimum age, in milliseconds, of an interrupted write's file to count as abandoned. */
  olderThanMs: number
  /** Minimum age of multipart uploads, in milliseconds, counted from their last part. Default: `olderThanMs`. */
  uploadsOlderThanMs?: number | undefined
  /** Whether to count the leftovers without removing them. */
  isDryRun?: boolean | undefined
  /** Sweeps only uploads of this object, and no temporary files. */
  key?: StorageKey | undefined
  /** Called for each multipart upload that is old enough. Uploads in use are not removed. */
  isInUse?: ((uploadId: string) => Promise<boolean>) | undefined
}

export interface SweepResult {
  files: number
  sizeBytes: number
}

/**
 * One place that stores objects: a folder on a disk, or a bucket. Calls reject only with a `StorageError`, an aborted
 * signal's reason, the error of the given body, or a `RangeError` for a `limit` below 1. Any call can fail with
 * `storage.unavailable`, `storage.denied`, `storage.bucket_missing` or `storage.invalid_key`.
 */
export interface StorageDriver {
  readonly kind: 'disk' | 's3'
  readonly capabilities: StorageCapabilities
  /** Creates URLs of the storage itself, or of our own signed routes. */
  readonly links: PresignedLinks
  /** Null if the storage has no multipart uploads. The server then receives all bytes and writes them in one call. */
  readonly multipart: MultipartUploads | null
  /** Returns null if the object does not exist. Never reads the bytes. */
  stat(key: StorageKey, o?: Op): Promise<ObjectStat | null>
  /**
   * Checks whether a folder exists. In a bucket it exists if it has a marker or any entry, even an entry whose name
   * cannot be part of a key. On the local disk an empty folder without a marker exists too.
   * @param key key of a folder, with its slash
   * @returns null if the folder does not exist; its time if known
   */
  statFolder(key: StorageKey, o?: Op): Promise<{ modifiedAtMs: number | null } | null>
  /** Lists objects and folders. A prefix without objects gives an empty page. */
  list(query: ListQuery, o?: Op): Promise<ListPage>
  /**
   * Reads the bytes of one version, even if another version is written meanwhile. A large body can fail with
   * `storage.changed` if the object is replaced right after the read began. The caller resolves suffix ranges, with the
   * size from `stat`.
   * @throws {StorageError} `storage.not_found`; `storage.range` if `firstByte` is at or past the end, or the range is
   * invalid
   */
  read(key: StorageKey, o?: ReadOptions): Promise<ReadResult>
  /**
   * Replaces or creates an object. Readers see the old object or the whole new object, never a part. After a failure
   * the old object remains, unless the failure came after the object was replaced (a lost response, a failed fsync). On
   * a disk with `syncs`, an acknowledged write is fsynced. A folder marker accepts only an empty body.
   * @throws {StorageError} `storage.exists`, `storage.changed`, `storage.folder_missing`, `storage.too_large`,
   * `storage.incomplete`, `storage.full`
   */
  write(key: StorageKey, body: Body, o?: WriteOptions): Promise<ObjectStat>
  /**
   * Copies an object, with the same effect as a read followed by a write. `from` and `to` must differ.
   * @throws {StorageError} as `read` and `write` do
   */
  copy(from: StorageKey, to: StorageKey, o?: CopyOptions): Promise<ObjectStat>
  /**
   * Gives an object another key without copying its bytes. At any time the object can be read under at least one of the
   * two keys. Null if the storage can only copy.
   * @throws {StorageError} as `read` and `write` do
   */
  readonly move: ((from: StorageKey, to: StorageKey, o?: CopyOptions) => Promise<ObjectStat>) | null
  /**
   * Moves a folder with all its contents, atomically. An object that is written into the folder meanwhile is moved with
   * it, or arrives after the move. In the second case, the write creates the old folder again, or is rejected if its
   * `intoFolder` is missing. Nothing may exist at `to`. Null if the storage has no real folders.
   * @param from key of a folder, with its slash
   * @returns whether the move was possible; false if the operating system refuses it, for example because the folder
   * contains another file system
   * @throws {StorageError} `storage.not_found`, `storage.exists`; as `write` does
   */
  readonly moveFolder:
    | ((from: StorageKey, to: StorageKey, o?: Pick<CopyOptions, 'intoFolder'>) => Promise<boolean>)
    | null
  /**
   * Removes any number of keys. Removing a missing key succeeds. The result lists every key that could not be removed,
   * even all of them if the storage refuses or does not respond. One failure does not stop the other keys. The call
   * rejects only if its signal aborts, or on the local disk if a key is valid only in a bucket.
   */
  remove(keys: readonly StorageKey[], o?: Op): Promise<RemoveResult>
  /**
   * Removes leftovers of interrupted writes and abandoned multipart uploads. Running writes and uploads are safe as
   * long as they are younger than the limits.
   */
  sweepTemporary(o: SweepOptions): Promise<SweepResult>
  /** Checks that the storage can be written to. `freeBytes` is null if unknown. */
  probe(o?: Op): Promise<{ freeBytes: number | null }>
  /** Frees connections and caches. Running calls can fail. */
  close(): Promise<void>
}

export interface StorageCapabilities {
  /** Whether exactly one of several concurrent writers with `ifAbsent` or `ifMatch` succeeds. */
  conditionalWrite: boolean
  /** Whether the bytes stay inside the storage during `copy`, which then causes no traffic. */
  serverSideCopy: boolean
  /**
   * Whether an object can have the name of a folder: `a` beside `a/b`. If false, the second write fails with
   * `storage.exists`.
   */
  nestedKeys: boolean
}
