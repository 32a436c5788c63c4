import { StorageError } from './errors.ts'

declare const storageKeyBrand: unique symbol

/**
 * The key of an object in a storage: segments joined by `/`, without a leading slash (`photos/2026/sea.jpg`). A key
 * that ends in `/` belongs to a folder marker, which is an empty object that keeps a folder without other objects. Text
 * from outside becomes a key only through the functions here, so a driver never receives unchecked text.
 */
export type StorageKey = string & { readonly [storageKeyBrand]: true }

/**
 * Longest key in bytes of UTF-8. Source: AWS S3 "Object key naming guidelines", userguide/object-keys.html, read
 * 2026-11-20.
 */
export const KEY_MAX_BYTES = 1024

/**
 * Longest segment in bytes of UTF-8. This is NAME_MAX of Linux file systems, because the local disk stores a segment as
 * a file name.
 */
const SEGMENT_MAX_BYTES = 255

/** Names with this prefix, in any case, are reserved for the drivers. The functions that parse keys reject them. */
export const RESERVED_NAME_PREFIX = '.dropleaf-'

export const isReservedName = (name: string): boolean => name.toLowerCase().startsWith(RESERVED_NAME_PREFIX)

/** Whether a name follows the rules that apply in every storage. */
const isPlainName = (name: string): boolean =>
  name !== '.' && name !== '..' && name.isWellFormed() && !/\p{Cc}/u.test(name) && !isReservedName(name)

export function isKeySegment(name: string): boolean {
  if (name === '' || name.includes('/')) return false
  return isPlainName(name) && Buffer.byteLength(name) <= SEGMENT_MAX_BYTES
}

/**
 * Parses the key of an object with bytes.
 *
 * Rejected: empty text, a leading or trailing `/`, empty segments, `.` and `..`, control characters (NUL, C0, DEL, C1),
 * lone surrogates, reserved names, segments over 255 bytes, keys over 1024 bytes. Everything else is an ordinary name:
 * spaces, `#`, `%`, `%2e%2e`, emoji, and the backslash. The backslash is no separator here, but the local disk rejects
 * it if the operating system treats it as one. Nothing is decoded, trimmed or normalised.
 * @throws {StorageError} `storage.invalid_key`
 */
export function parseStorageKey(text: string): StorageKey {
  const isKey = text.split('/').every(isKeySegment) && Buffer.byteLength(text) <= KEY_MAX_BYTES
  if (!isKey) throw new StorageError('storage.invalid_key', `Not a storage key: ${quote(text)}.`)
  return text as StorageKey
}

/**
 * Parses the key of an object that another program put into a bucket. The key is used exactly as that program wrote it,
 * because `a/b`, `/a/b` and `a//b` are three objects in a bucket. A segment can be as long as the key. Use it only for
 * stored keys, never for text from a request. A disk accepts only keys that `parseStorageKey` accepts.
 * @throws {StorageError} `storage.invalid_key` for everything else that `parseStorageKey` rejects
 */
export function parseForeignKey(text: string): StorageKey {
  const isKey =
    text.split('/').every(isPlainName) && !/(?:^|\/)$/.test(text) && Buffer.byteLength(text) <= KEY_MAX_BYTES
  if (!isKey) throw new StorageError('storage.invalid_key', `Not the key of an object: ${quote(text)}.`)
  return text as StorageKey
}

/**
 * Parses the key of a folder marker: the rules of `parseStorageKey`, and exactly one `/` at the end.
 * @throws {StorageError} `storage.invalid_key`
 */
export function parseFolderKey(text: string): StorageKey {
  const isKey = text.endsWith('/') && Buffer.byteLength(text) <= KEY_MAX_BYTES
  if (!isKey) throw new StorageError('storage.invalid_key', `Not a folder key: ${quote(text)}.`)
  parseStorageKey(text.slice(0, -1))
  return text as StorageKey
}

/**
 * Returns a key under a reserved name, for bytes that stay hidden until they are copied to their final key. No listing
 * shows the key, and no user input can name it.
 * @param id 1 to 64 letters, digits and dashes
 * @throws {StorageError} `storage.invalid_key` for any other id
 */
export function stagingKey(id: string): StorageKey {
  if (!/^[A-Za-z0-9-]{1,64}$/.test(id)) {
    throw new StorageError('storage.invalid_key', `Not an id of a staging key: ${quote(id)}.`)
  }
  return `${RESERVED_NAME_PREFIX}staging-${id}` as StorageKey
}

/**
 * Returns a key in the given folder at which no object is ever stored. Removing this key tests the permission to remove
 * objects in the folder.
 * @param prefix prefix of the folder, with its slash; empty for the top level
 * @returns null if the key would be too long
 */
export function removalProbeKey(prefix: string): StorageKey | null {
  const key = `${prefix}${RESERVED_NAME_PREFIX}probe`
  return Buffer.byteLength(key) <= KEY_MAX_BYTES ? (key as StorageKey) : null
}

export function isFolderKey(key: StorageKey): boolean {
  return key.endsWith('/')
}

/**
 * Splits the prefix of a listing at its last `/`: `photos/20` means the folder `photos/` and names that start with
 * `20`. The folder is empty or ends in `/`. The name prefix can be any valid start of a name, including `..`.
 * @throws {StorageError} `storage.invalid_key` if no key can start with the prefix
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

/**
 * Compares keys in the order of UTF-8 bytes, which is the order of every listing. JavaScript's own order differs beyond
 * U+FFFF.
 */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return utf8Rank(left) - utf8Rank(right)
  }
  return a.length - b.length
}

/**
 * Returns the rank of a code unit in UTF-8 order. Surrogates encode code points above U+FFFF, so they rank after U+E000
 * to U+FFFF.
 */
function utf8Rank(codeUnit: number): number {
  if (codeUnit >= 0xe000) return codeUnit - 0x800
  return codeUnit >= 0xd800 ? codeUnit + 0x2000 : codeUnit
}

/** Shortens and escapes a key, so that a hostile key cannot flood the log or forge a log line. */
function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}
