export type * from './driver.ts'
export { StorageError, type StorageErrorCode } from './errors.ts'
export {
  compareKeys,
  isFolderKey,
  isKeySegment,
  KEY_MAX_BYTES,
  parseFolderKey,
  parseListPrefix,
  parseStorageKey,
  type StorageKey,
} from './keys.ts'
export { PART_MAX_BYTES, PART_MIN_BYTES, PARTS_MAX, type PartPlan, planParts } from './parts.ts'
export { createDiskDriver, type DiskDriverOptions } from './disk/driver.ts'
