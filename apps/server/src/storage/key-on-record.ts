import { parseForeignKey, parseStorageKey, type StorageDriver, type StorageKey } from '@dropleaf/storage'

/**
 * The key of a stored object. In a bucket it may be one that no request can name: CloudPaste created keys with leading and
 * double slashes.
 * @throws {StorageError} `storage.invalid_key`
 */
export const keyOnRecord = ({ kind }: Pick<StorageDriver, 'kind'>, key: string): StorageKey =>
  kind === 's3' ? parseForeignKey(key) : parseStorageKey(key)
