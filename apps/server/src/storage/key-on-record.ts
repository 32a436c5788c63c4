import { parseForeignKey, parseStorageKey, type StorageDriver, type StorageKey } from '@dropleaf/storage'

/**
 * The key of an object that a row names. In a bucket it may be one that no request can name: CloudPaste made keys with
 * slashes at their beginning and in a row.
 * @throws {StorageError} `storage.invalid_key`
 */
export const keyOnRecord = ({ kind }: Pick<StorageDriver, 'kind'>, key: string): StorageKey =>
  kind === 's3' ? parseForeignKey(key) : parseStorageKey(key)
