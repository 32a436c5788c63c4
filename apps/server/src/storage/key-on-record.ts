import { parseForeignKey, parseStorageKey, type StorageDriver, type StorageKey } from '@dropleaf/storage'

/**
 * Returns the key of a stored object. A bucket can contain keys that no request can address, because CloudPaste created
 * keys with leading and double slashes.
 * @throws {StorageError} `storage.invalid_key`
 */
export const keyOnRecord = ({ kind }: Pick<StorageDriver, 'kind'>, key: string): StorageKey =>
  kind === 's3' ? parseForeignKey(key) : parseStorageKey(key)
