export type * from './driver.ts'
export { handOver, isHandedOver } from './chunk-memory.ts'
export { StorageError, type StorageErrorCode } from './errors.ts'
export {
  compareKeys,
  isReservedName,
  isFolderKey,
  isKeySegment,
  KEY_MAX_BYTES,
  parseFolderKey,
  parseForeignKey,
  parseListPrefix,
  parseStorageKey,
  removalProbeKey,
  stagingKey,
  type StorageKey,
} from './keys.ts'
export { removeAll } from './remove-all.ts'
export { PART_MAX_BYTES, PART_MIN_BYTES, PARTS_MAX, type PartPlan, planParts } from './parts.ts'
export { MARKER_NAME as FOLDER_MARKER_NAME } from './disk/root.ts'
export { createDiskDriver, type DiskDriverOptions } from './disk/driver.ts'
export type { TakenOver } from './disk/old-journal.ts'
export { createFreeRoom, type FreeRoom } from './disk/free-room.ts'
export { createS3Driver, type S3Driver } from './s3/driver.ts'
export type { NoteUpload, S3DriverOptions, UploadNote } from './s3/client.ts'
export { objectUrl } from './s3/public-url.ts'
export type { S3Provider } from './s3/providers.ts'
export { type ExaminationOrder, examineBucket, type S3Examination } from './s3/doctor/examine.ts'
export { diagnose, type Failure } from './s3/doctor/failure.ts'
export type { DoctorCode, Finding, FindingParams } from './s3/doctor/findings.ts'
