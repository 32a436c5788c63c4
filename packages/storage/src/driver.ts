import type { Readable } from 'node:stream'
import type { StorageError } from './errors.ts'
import type { StorageKey } from './keys.ts'

/** Taken by every call that may last. Once `signal` aborts, the call rejects with the signal's reason. */
export interface Op {
  signal?: AbortSignal | undefined
}

export interface ObjectStat {
  key: StorageKey
  sizeBytes: number
  /** Names this version of the bytes; without quotes. Changes with every write. Not a checksum on every driver. */
  etag: string
  modifiedAtMs: number
  /** Absent where the storage does not keep it (Local disk), or a listing does not tell. */
  contentType?: string
  /** How the bytes are encoded, where whoever stored them said so (S3: `gzip`). Sizes and ranges are those of the encoded ones. */
  contentEncoding?: string
}

/** Both ends count from 0 and are inclusive. A `lastByte` past the end means "to the end". */
export interface ByteRange {
  firstByte: number
  lastByte: number
}

export interface ListQuery {
  /** Keys start with this; empty for all. It need not end at a folder: `ph` finds `photos/a` and `phone.txt`. */
  prefix: string
  /** With `/`: one level, what lies deeper is one folder entry. Without: every object below, however deep. */
  delimiter?: '/' | undefined
  /** Objects and folders of one page together, 1 or more. A driver may return fewer (S3: at most 1,000). */
  limit: number
  /** `nextCursor` of the page before, with the same prefix and delimiter. */
  cursor?: string | undefined
}

/** `key` ends in `/`. The instant is null where the storage has none (S3). */
export interface FolderStat {
  key: string
  modifiedAtMs: number | null
}

/**
 * Objects and folders each sorted by key in UTF-8 byte order, and every key of a later page sorts after both.
 *
 * Folder markers: without a delimiter they are objects (their key ends in `/`), so that a recursive copy or removal
 * meets them. With a delimiter the listed folder's own marker is left out and those of its children are folders.
 * Objects whose key `parseStorageKey` would refuse are told apart.
 */
export interface ListPage {
  objects: ObjectStat[]
  folders: FolderStat[]
  /**
   * What other programs named so that no key can say it, in the words of the storage, each on one page. Nothing can be done
   * with it but to tell of it. What the drivers keep for themselves is not among it.
   */
  unnamed: string[]
  /** Opaque. Null at the end, and only then: a page may be short, even empty, before it. */
  nextCursor: string | null
}

export interface ReadOptions extends Op {
  range?: ByteRange | undefined
  /** Size of the object, where it is known: a bucket shows the beginning of a large one sooner then. It may be wrong. */
  sizeBytes?: number | undefined
}

export interface ReadResult {
  /** To be read to its end or destroyed; it holds a file or a connection. */
  body: Readable
  stat: ObjectStat
  /** What the body holds when a range was asked for, cut to the object's end; otherwise null. */
  range: ByteRange | null
}

/** What is written: bytes as they come, or bytes that were gathered, which a short body costs less as. */
export type Body = Readable | Buffer

/** Limits of one body. A body is read to its end, or destroyed when the call fails. */
export interface BodyOptions extends Op {
  /** Exact size. Fewer bytes fail with `storage.incomplete`, more with `storage.too_large`. */
  sizeBytes?: number | undefined
  /** More bytes fail with `storage.too_large`. */
  maxBytes?: number | undefined
}

export interface WriteOptions extends BodyOptions {
  /** Send what is longer than a part in parts, where the storage takes such (S3), although one request could hold it. */
  inParts?: boolean | undefined
  contentType?: string | undefined
  /** Fail with `storage.exists` rather than replace. Atomic where `capabilities.conditionalWrite`. */
  ifAbsent?: boolean | undefined
  /**
   * Etag of the version that this one replaces: another one, or none, fails with `storage.changed`. Lets one of many
   * writers win where `ifAbsent` does.
   */
  ifMatch?: string | undefined
  /**
   * Prefix of a folder around the key, with its slash: fail with `storage.folder_missing` rather than make it, at the moment
   * the object is to show. Folders between it and the key are made. A bucket has no folders that it could look at so late:
   * there it is the caller's to ask.
   */
  intoFolder?: string | undefined
}

export type CopyOptions = Pick<WriteOptions, 'ifAbsent' | 'intoFolder' | 'signal'>

export interface RemoveResult {
  /** Keys that are not there any more, those that never were included. */
  removed: number
  failed: { key: StorageKey; error: StorageError }[]
}

/** Whose link it is. */
export interface LinkIssuer {
  readonly by: string
  /** What they must be allowed to do still. */
  readonly right: string
  /** Where. */
  readonly scope: string
  /** The mount that the object was reached through, without which the link ends. */
  readonly mount?: string | undefined
}

interface IssuedLinkOptions {
  expiresInSeconds: number
  /** Kept where the storage can (Local disk): the link ends with what its issuer may do. S3 cannot: it lasts until it expires. */
  issuer?: LinkIssuer | undefined
}

/** URLs that work without our credentials until they expire, each bound to one method and one key. */
export interface PresignedLinks {
  /** For GET, and HEAD where the storage does not sign the method (S3 does). The headers override those of the answer. */
  get(key: StorageKey, o: GetLinkOptions): Promise<string>
  put(key: StorageKey, o: PutLinkOptions): Promise<string>
  /** For PUT of one part; the answer carries the part's `ETag`. */
  part(upload: UploadRef, partNumber: number, o: PartLinkOptions): Promise<string>
}

export interface GetLinkOptions extends IssuedLinkOptions {
  contentType?: string | undefined
  contentDisposition?: string | undefined
}

export interface PutLinkOptions extends IssuedLinkOptions {
  contentType?: string | undefined
  /** Kept where the storage can (Local disk). S3 cannot: check the size after the upload. */
  maxBytes?: number | undefined
}

export interface PartLinkOptions extends IssuedLinkOptions {
  /** As with {@link PutLinkOptions}. */
  maxBytes?: number | undefined
}

/** Enough to go on with an upload after a restart, or in another process. */
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

/** Ascending by part number. */
export interface PartPage {
  parts: PartStat[]
  nextCursor: string | null
}

/**
 * An object in parts that arrive in any order, several at once, again when they failed. Nothing is to be seen under
 * the key before `complete`. Every call but `create` and `abort` fails with `storage.not_found` when there is no such
 * upload of that key. S3 demands 5 MiB or more of every part but the last (`storage.invalid_part` at `complete`).
 */
export interface MultipartUploads {
  create(key: StorageKey, o?: Op & { contentType?: string | undefined }): Promise<UploadRef>
  /** The same number again replaces the part. @throws {StorageError} `storage.invalid_part` for a number out of range. */
  uploadPart(upload: UploadRef, partNumber: number, body: Readable, o?: BodyOptions): Promise<PartStat>
  listParts(upload: UploadRef, o?: Op & { limit?: number; cursor?: string | undefined }): Promise<PartPage>
  /**
   * Joins the given parts, in ascending order, into the object, and forgets the upload. A failure keeps the parts.
   * @throws {StorageError} `storage.invalid_part` for none, out of order, missing, or another etag than was uploaded.
   */
  complete(upload: UploadRef, parts: readonly PartRef[], o?: CopyOptions): Promise<ObjectStat>
  /** Removes the parts. Aborting what is not there is success. */
  abort(upload: UploadRef, o?: Op): Promise<void>
}

export interface SweepOptions extends Op {
  /** Age in milliseconds from which a file that a broken-off write left counts as abandoned. */
  olderThanMs: number
  /** The same for multipart uploads, counted from their last part. Default: `olderThanMs`. */
  uploadsOlderThanMs?: number | undefined
  /** Only counts what would go. */
  isDryRun?: boolean | undefined
  /** Only uploads of this object, and no temporary files. */
  key?: StorageKey | undefined
  /** Asked of each multipart upload that is old enough; those in use stay. */
  isInUse?: ((uploadId: string) => Promise<boolean>) | undefined
}

export interface SweepResult {
  files: number
  sizeBytes: number
}

/**
 * One place that keeps objects: a folder on a disk, or a bucket. Failures are `StorageError`s, an aborted signal's
 * reason, or the error of the body that was given; nothing else.
 */
export interface StorageDriver {
  readonly kind: 'disk' | 's3'
  readonly capabilities: StorageCapabilities
  /** URLs to the storage itself, past this process or through our own signed routes. */
  readonly links: PresignedLinks
  /** Null: the server takes the bytes itself and writes them in one go. */
  readonly multipart: MultipartUploads | null
  /** Null when there is no such object. Never reads the bytes. */
  stat(key: StorageKey, o?: Op): Promise<ObjectStat | null>
  /**
   * A folder is there when it has a marker or anything lies in it, also when no key can say its name. Never reads the names
   * in it. @param key a folder's, with its slash. @returns null when there is no such folder; its time where one is known.
   */
  statFolder(key: StorageKey, o?: Op): Promise<{ modifiedAtMs: number | null } | null>
  /** A prefix under which there is nothing is an empty page. */
  list(query: ListQuery, o?: Op): Promise<ListPage>
  /**
   * The bytes of one version, whatever is written meanwhile: a large body may break off with `storage.changed` when the object is
   * replaced in its first moment. Suffix ranges are the caller's (`stat` knows the size).
   * @throws {StorageError} `storage.not_found`; `storage.range` when `firstByte` is at or past the end.
   */
  read(key: StorageKey, o?: ReadOptions): Promise<ReadResult>
  /**
   * Readers see the old object or the whole new one, never a part, and a failure leaves everything as it was. What was
   * acknowledged is synced. A folder marker takes an empty body only.
   * @throws {StorageError} `storage.exists`, `storage.changed`, `storage.folder_missing`, `storage.too_large`,
   *   `storage.incomplete`, `storage.full`, `storage.denied`
   */
  write(key: StorageKey, body: Body, o?: WriteOptions): Promise<ObjectStat>
  /** Like reading and writing. `from` and `to` differ. @throws {StorageError} as `read` and `write` do. */
  copy(from: StorageKey, to: StorageKey, o?: CopyOptions): Promise<ObjectStat>
  /**
   * Gives an object another key without touching its bytes: it is to be read under the one or the other at any time. Null
   * where the storage only copies. @throws {StorageError} as `read` and `write` do.
   */
  readonly move: ((from: StorageKey, to: StorageKey, o?: CopyOptions) => Promise<ObjectStat>) | null
  /**
   * The same for a folder with all that is in it, at one stroke: what comes into it meanwhile is refused, or goes along. Nothing
   * must be at `to`. Null where folders are only names. @param from key of a folder, with its slash. @returns whether it could
   * be done: not where another file system lies in between.
   * @throws {StorageError} `storage.not_found`, `storage.exists`; as `write` does
   */
  readonly moveFolder:
    | ((from: StorageKey, to: StorageKey, o?: Pick<CopyOptions, 'intoFolder'>) => Promise<boolean>)
    | null
  /**
   * Any number of keys. Removing what is not there is success. What could not be removed is in the result, all of it where the
   * storage refuses or does not answer: a failure is never thrown, and keeps no other key from going.
   */
  remove(keys: readonly StorageKey[], o?: Op): Promise<RemoveResult>
  /** Removes what broken-off writes and abandoned multipart uploads left. Safe beside live ones younger than that. */
  sweepTemporary(o: SweepOptions): Promise<SweepResult>
  /** Proves that the storage can be written. `freeBytes` is null where nobody knows. */
  probe(o?: Op): Promise<{ freeBytes: number | null }>
  /** Frees connections and caches. Running calls may fail. */
  close(): Promise<void>
}

export interface StorageCapabilities {
  /** `ifAbsent` and `ifMatch` let exactly one of many writers win. */
  conditionalWrite: boolean
  /** `copy` costs no traffic: the bytes stay where the storage is. */
  serverSideCopy: boolean
  /** An object may be called like a folder: `a` beside `a/b`. Where false, the second fails with `storage.exists`. */
  nestedKeys: boolean
}
