import { StorageError } from './errors.ts'

declare const storageKeyBrand: unique symbol

/**
 * Where an object lies in a storage: segments joined by `/`, without a leading one (`photos/2026/sea.jpg`).
 * A key that ends in `/` is a folder marker: an object without bytes that keeps a folder when nothing is in it.
 * Only the functions here make one, so a driver never sees a user's text.
 */
export type StorageKey = string & { readonly [storageKeyBrand]: true }

/** Longest key in bytes of UTF-8. Source: AWS S3 "Object key naming guidelines", userguide/object-keys.html, read 2026-11-20. */
export const KEY_MAX_BYTES = 1024

/** Longest segment in bytes of UTF-8: NAME_MAX of Linux file systems, and Local disk stores a segment as a name. */
const SEGMENT_MAX_BYTES = 255

/** Names that start like this, in any case, are the drivers' own; no key may hold one. */
export const RESERVED_NAME_PREFIX = '.dropleaf-'

/** Whether a name is the drivers' own. */
export const isReservedName = (name: string): boolean => name.toLowerCase().startsWith(RESERVED_NAME_PREFIX)

/** What no name may be, in whatever storage. */
const isPlainName = (name: string): boolean =>
  name !== '.' && name !== '..' && name.isWellFormed() && !/\p{Cc}/u.test(name) && !isReservedName(name)

/** Whether a name can be a segment of a key. Says no to every name a key can not address. */
export function isKeySegment(name: string): boolean {
  if (name === '' || name.includes('/')) return false
  return isPlainName(name) && Buffer.byteLength(name) <= SEGMENT_MAX_BYTES
}

/**
 * Makes the key of an object with bytes.
 *
 * Refused: empty text, a leading or trailing `/`, empty segments, `.` and `..`, control characters (NUL, C0, DEL, C1),
 * lone surrogates, reserved names, segments over 255 bytes, keys over 1024 bytes. Everything else is a name like any
 * other: spaces, `#`, `%`, `%2e%2e`, emoji, and the backslash, which separates nothing here (Local disk refuses it
 * where the operating system would take it for a separator). Nothing is decoded, trimmed or normalised.
 *
 * @throws {StorageError} `storage.invalid_key`
 */
export function parseStorageKey(text: string): StorageKey {
  const isKey = text.split('/').every(isKeySegment) && Buffer.byteLength(text) <= KEY_MAX_BYTES
  if (!isKey) throw new StorageError('storage.invalid_key', `Not a storage key: ${quote(text)}.`)
  return text as StorageKey
}

/**
 * Makes the key of an object that another program put into a bucket, exactly as that program wrote it: `a/b`, `/a/b` and
 * `a//b` are three objects there, and a segment may be as long as the key. For keys that are on record only, never for what
 * a request names; a disk takes none that `parseStorageKey` refuses.
 * @throws {StorageError} `storage.invalid_key` for what `parseStorageKey` refuses otherwise
 */
export function parseForeignKey(text: string): StorageKey {
  const isKey =
    text.split('/').every(isPlainName) && !/(?:^|\/)$/.test(text) && Buffer.byteLength(text) <= KEY_MAX_BYTES
  if (!isKey) throw new StorageError('storage.invalid_key', `Not the key of an object: ${quote(text)}.`)
  return text as StorageKey
}

/**
 * Makes the key of a folder marker: the rules of `parseStorageKey`, and exactly one `/` at the end.
 * @throws {StorageError} `storage.invalid_key`
 */
export function parseFolderKey(text: string): StorageKey {
  const isKey = text.endsWith('/') && Buffer.byteLength(text) <= KEY_MAX_BYTES
  if (!isKey) throw new StorageError('storage.invalid_key', `Not a folder key: ${quote(text)}.`)
  parseStorageKey(text.slice(0, -1))
  return text as StorageKey
}

/**
 * Makes a key under a reserved name, for bytes that nobody is to see before they are copied to their own key. No listing
 * shows it, and no other text can name it.
 * @param id letters, digits and dashes.
 */
export function stagingKey(id: string): StorageKey {
  if (!/^[A-Za-z0-9-]{1,64}$/.test(id)) {
    throw new StorageError('storage.invalid_key', `Not an id of a staging key: ${quote(id)}.`)
  }
  return `${RESERVED_NAME_PREFIX}staging-${id}` as StorageKey
}

/**
 * A key in a folder under which nothing ever lies: whether it may be removed tells whether others there may be.
 * @param prefix of the folder, with its slash; empty for the top. @returns null where it would be too long
 */
export function removalProbeKey(prefix: string): StorageKey | null {
  const key = `${prefix}${RESERVED_NAME_PREFIX}probe`
  return Buffer.byteLength(key) <= KEY_MAX_BYTES ? (key as StorageKey) : null
}

export function isFolderKey(key: StorageKey): boolean {
  return key.endsWith('/')
}

/**
 * Splits the prefix of a listing at its last `/`: `photos/20` is the folder `photos/` and names that start with `20`.
 * The folder is empty or ends in `/`. The start of the names may be anything a name can start with, `..` included.
 * @throws {StorageError} `storage.invalid_key` when no key can start so.
 */
export function parseListPrefix(prefix: string): { folder: string; nameStart: string } {
  const cut = prefix.lastIndexOf('/') + 1
  const folder = prefix.slice(0, cut)
  const nameStart = prefix.slice(cut)
  if (folder !== '') parseFolderKey(folder)
  if (!['', '.', '..'].includes(nameStart) && !isKeySegment(nameStart)) {
    throw new StorageError('storage.invalid_key', `Not a prefix of storage keys: ${quote(prefix)}.`)
  }
  return { folder, nameStart }
}

/** Compares as the UTF-8 bytes compare, the order of every listing. (JavaScript's own order differs past U+FFFF.) */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return utf8Rank(left) - utf8Rank(right)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above U+FFFF, so they rank after U+E000 to U+FFFF. */
function utf8Rank(codeUnit: number): number {
  if (codeUnit >= 0xe000) return codeUnit - 0x800
  return codeUnit >= 0xd800 ? codeUnit + 0x2000 : codeUnit
}

/** Shortened and escaped, so that a hostile key can neither flood nor forge a log line. */
function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}
