import type { Readable } from 'node:stream'
import type { StorageError } from './errors.ts'
import type { StorageKey } from './keys.ts'

/** Options of every call that may take long. Once `signal` aborts, the call rejects with the signal's reason. */
export interface Op {
  signal?: AbortSignal | undefined
}

export interface ObjectStat {
  key: StorageKey
  sizeBytes: number
  /** Identifies this version of the bytes; without quotes. Changes with every write. Not a checksum on every driver. */
  etag: string
  modifiedAtMs: number
  /** Absent if the storage does not store it (local disk), or a listing does not return it. */
  contentType?: string
  /** Content encoding that the writer declared (S3: `gzip`). Sizes and ranges refer to the encoded bytes. */
  contentEncoding?: string
}

/** Both positions count from 0 and are inclusive. A `lastByte` past the end means "to the end". */
export interface ByteRange {
  firstByte: number
  lastByte: number
}

export interface ListQuery {
  /** Prefix of the keys; empty for all. It need not end at a folder: `ph` finds `photos/a` and `phone.txt`. */
  prefix: string
  /** With `/`: one level; each deeper path is one folder entry. Without: every object below, however deep. */
  delimiter?: '/' | undefined
  /** Objects and folders of one page together, 1 or more. A driver may return fewer (S3: at most 1,000). */
  limit: number
  /** `nextCursor` of the previous page, with the same prefix and delimiter. */
  cursor?: string | undefined
}

/** `key` ends in `/`. The time is null if the storage has none (S3). */
export interface FolderStat {
  key: string
  modifiedAtMs: number | null
}

/**
 * Objects and folders, each sorted by key in UTF-8 byte order. Every key of a later page sorts after both.
 *
 * Folder markers: without a delimiter they are objects (their key ends in `/`), so that a recursive copy or removal
 * includes them. With a delimiter the listed folder's own marker is left out, and its children's markers are folders.
 * Names that `parseStorageKey` would reject are in `unnamed`.
 */
export interface ListPage {
  objects: ObjectStat[]
  folders: FolderStat[]
  /**
   * Names made by other programs that cannot be part of a key, as the storage spells them, each on one page. They can
   * only be reported. The drivers' own files are not among them.
   */
  unnamed: string[]
  /** Opaque. Null at the end and only there: an earlier page may be short, even empty. */
  nextCursor: string | null
}

export interface ReadOptions extends Op {
  range?: ByteRange | undefined
  /**
   * Size of the object, if known. It may be wrong. It lets an S3 driver return the first bytes of a large object
   * sooner.
   */
  sizeBytes?: number | undefined
}

export interface ReadResult {
  /** Read it to its end or destroy it; it holds a file or a connection. */
  body: Readable
  stat: ObjectStat
  /** What the body holds if a range was requested, cut to the object's end; otherwise null. */
  range: ByteRange | null
}

/** The bytes to write: a stream, or a buffer, which is cheaper for a short body. */
export type Body = Readable | Buffer

/** Limits of one body. The driver reads the body to its end, or destroys it if the call fails. */
export interface BodyOptions extends Op {
  /** Exact size. Fewer bytes fail with `storage.incomplete`, more with `storage.too_large`. */
  sizeBytes?: number | undefined
  /** More bytes fail with `storage.too_large`. */
  maxBytes?: number | undefined
}

export interface WriteOptions extends BodyOptions {
  /** Send a body longer than a part in parts, if the storage supports them (S3), even if one request could hold it. */
  inParts?: boolean | undefined
  contentType?: string | undefined
  /** Fail with `storage.exists` instead of replacing. Atomic if `capabilities.conditionalWrite`. */
  ifAbsent?: boolean | undefined
  /**
   * Etag of the version to replace: any other version, or none, fails with `storage.changed`. With
   * `capabilities.conditionalWrite` exactly one of several writers wins.
   */
  ifMatch?: string | undefined
  /**
   * Prefix of a folder above the key, with its slash. If it is missing when the object is about to appear, the write
   * fails with `storage.folder_missing` instead of creating it. Folders between it and the key are created. A bucket
   * cannot check a folder that late; there the caller checks.
   */
  intoFolder?: string | undefined
}

export type CopyOptions = Pick<WriteOptions, 'ifAbsent' | 'intoFolder' | 'signal'>

export interface RemoveResult {
  /** Number of keys that no longer exist, including those that never did. */
  removed: number
  failed: { key: StorageKey; error: StorageError }[]
}

/** Who the link was issued to. */
export interface LinkIssuer {
  readonly by: string
  /** Permission that the issuer must still have. */
  readonly right: string
  /** Base path of the issuer: with another one the link ends. */
  readonly scope: string
  /** The mount through which the object was reached. The link ends when the mount does. */
  readonly mount?: string | undefined
}

interface IssuedLinkOptions {
  expiresInSeconds: number
  /**
   * Enforced if the storage can (local disk): the link ends with the permission of its issuer. S3 cannot: it lasts until it
   * expires.
   */
  issuer?: LinkIssuer | undefined
}

/** URLs that work without our credentials until they expire, each for one method and one key. */
export interface PresignedLinks {
  /**
   * For GET, and for HEAD unless the storage signs the method (S3 does). The headers override the response's headers.
   */
  get(key: StorageKey, o: GetLinkOptions): Promise<string>
  put(key: StorageKey, o: PutLinkOptions): Promise<string>
  /** For PUT of one part; the response carries the part's `ETag`. */
  part(upload: UploadRef, partNumber: number, o: PartLinkOptions): Promise<string>
}

export interface GetLinkOptions extends IssuedLinkOptions {
  contentType?: string | undefined
  contentDisposition?: string | undefined
}

export interface PutLinkOptions extends IssuedLinkOptions {
  contentType?: string | undefined
  /** Enforced if the storage can (local disk). S3 cannot: check the size after the upload. */
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
  /** From 1 to 10,000. */
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
 * An object uploaded in parts, in any order, several at once, with retries. Nothing appears under the key before
 * `complete`. Every call except `create` and `abort` fails with `storage.not_found` if there is no such upload of that
 * key. S3 requires at least 5 MiB for every part but the last (`storage.invalid_part` at `complete`).
 */
export interface MultipartUploads {
  create(key: StorageKey, o?: Op & { contentType?: string | undefined }): Promise<UploadRef>
  /**
   * Replaces an earlier part of the same number. @throws {StorageError} `storage.invalid_part` for a number out of
   * range.
   */
  uploadPart(upload: UploadRef, partNumber: number, body: Readable, o?: BodyOptions): Promise<PartStat>
  listParts(upload: UploadRef, o?: Op & { limit?: number; cursor?: string | undefined }): Promise<PartPage>
  /**
   * Joins the given parts, in ascending order, into the object, and deletes the upload. A failure keeps the parts.
   * @throws {StorageError} `storage.invalid_part` for an empty list, a wrong order, a missing part, or a different
   * etag.
   */
  complete(upload: UploadRef, parts: readonly PartRef[], o?: CopyOptions): Promise<ObjectStat>
  /** Removes the parts. Succeeds if there is no such upload. */
  abort(upload: UploadRef, o?: Op): Promise<void>
}

export interface SweepOptions extends Op {
  /** Minimum age, in milliseconds, of an interrupted write's file to count as abandoned. */
  olderThanMs: number
  /** Minimum age of multipart uploads, counted from their last part. Default: `olderThanMs`. */
  uploadsOlderThanMs?: number | undefined
  /** Only counts what would be removed. */
  isDryRun?: boolean | undefined
  /** Only uploads of this object, and no temporary files. */
  key?: StorageKey | undefined
  /** Called for each multipart upload that is old enough; one in use stays. */
  isInUse?: ((uploadId: string) => Promise<boolean>) | undefined
}

export interface SweepResult {
  files: number
  sizeBytes: number
}

/**
 * One place that stores objects: a folder on a disk, or a bucket. Calls reject with a `StorageError`, an aborted
 * signal's reason, or the error of the given body; nothing else.
 */
export interface StorageDriver {
  readonly kind: 'disk' | 's3'
  readonly capabilities: StorageCapabilities
  /** URLs to the storage itself, or to our own signed routes. */
  readonly links: PresignedLinks
  /** Null if the server takes the bytes itself and writes them in one go. */
  readonly multipart: MultipartUploads | null
  /** Null if there is no such object. Never reads the bytes. */
  stat(key: StorageKey, o?: Op): Promise<ObjectStat | null>
  /**
   * A folder exists if it has a marker or any entry, even one that no key can name. Never lists its entries.
   * @param key a folder's, with its slash.
   * @returns null if there is no such folder; its time if known.
   */
  statFolder(key: StorageKey, o?: Op): Promise<{ modifiedAtMs: number | null } | null>
  /** A prefix without objects is an empty page. */
  list(query: ListQuery, o?: Op): Promise<ListPage>
  /**
   * Reads the bytes of one version, whatever is written meanwhile. A large body may fail with `storage.changed` if the
   * object is replaced right after the read began. The caller resolves suffix ranges (`stat` knows the size).
   * @throws {StorageError} `storage.not_found`; `storage.range` if `firstByte` is at or past the end.
   */
  read(key: StorageKey, o?: ReadOptions): Promise<ReadResult>
  /**
   * Readers see the old object or the whole new one, never a part, and a failure changes nothing. An acknowledged write
   * is fsynced. A folder marker takes an empty body only.
   * @throws {StorageError} `storage.exists`, `storage.changed`, `storage.folder_missing`, `storage.too_large`,
   * `storage.incomplete`, `storage.full`, `storage.denied`
   */
  write(key: StorageKey, body: Body, o?: WriteOptions): Promise<ObjectStat>
  /** Behaves like a read and a write. `from` and `to` differ. @throws {StorageError} as `read` and `write` do. */
  copy(from: StorageKey, to: StorageKey, o?: CopyOptions): Promise<ObjectStat>
  /**
   * Gives an object another key without copying its bytes. At any time it can be read under one of the two keys. Null
   * if the storage can only copy. @throws {StorageError} as `read` and `write` do.
   */
  readonly move: ((from: StorageKey, to: StorageKey, o?: CopyOptions) => Promise<ObjectStat>) | null
  /**
   * Moves a folder with everything in it, atomically: an object that arrives meanwhile is rejected, or moves along.
   * Nothing may exist at `to`. Null if the storage has no real folders.
   * @param from key of a folder, with its slash.
   * @returns whether it was possible; false if another file system lies inside.
   * @throws {StorageError} `storage.not_found`, `storage.exists`; as `write` does
   */
  readonly moveFolder:
    | ((from: StorageKey, to: StorageKey, o?: Pick<CopyOptions, 'intoFolder'>) => Promise<boolean>)
    | null
  /**
   * Removes any number of keys. Removing a missing key succeeds. The result lists every key that could not be removed,
   * even all of them if the storage refuses or does not answer. It never throws, and one failure does not stop the
   * other keys.
   */
  remove(keys: readonly StorageKey[], o?: Op): Promise<RemoveResult>
  /**
   * Removes what interrupted writes and abandoned multipart uploads left behind. Running ones are safe as long as they
   * are younger than the limits.
   */
  sweepTemporary(o: SweepOptions): Promise<SweepResult>
  /** Proves that the storage can be written. `freeBytes` is null if unknown. */
  probe(o?: Op): Promise<{ freeBytes: number | null }>
  /** Frees connections and caches. Running calls may fail. */
  close(): Promise<void>
}

export interface StorageCapabilities {
  /** `ifAbsent` and `ifMatch` let exactly one of many writers win. */
  conditionalWrite: boolean
  /** `copy` costs no traffic: the bytes stay inside the storage. */
  serverSideCopy: boolean
  /**
   * An object may have the name of a folder: `a` beside `a/b`. If false, the second one fails with `storage.exists`.
   */
  nestedKeys: boolean
}
