import {
  BUCKET_NAME_MAX_LENGTH,
  DEFAULT_SIGNATURE_SECONDS,
  FOLDER_MAX_LENGTH,
  isBucketName,
  isDiskFolder,
  isFolderPath,
  LOCAL_DISK_PROVIDER,
  plainAddress,
  SIGNATURE_MAX_SECONDS,
  STORAGE_NAME_MAX_LENGTH,
  type StorageConfig,
} from '@dropleaf/contract'
import { capacityInputOf, type CapacityProblem, type CapacityUnit, parseCapacity } from './capacity.ts'
import { PLACEHOLDER, PROVIDERS, templateOf } from './providers.ts'

/** Input of the storage form. */
export interface StorageInput extends Record<string, unknown> {
  readonly name: string
  readonly provider: string
  readonly endpoint: string
  /** Name of the bucket, or of the folder of a local disk. */
  readonly bucket: string
  readonly region: string
  /** When a storage is edited, blank `accessKeyId` and `secretAccessKey` leave the stored keys unchanged. */
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly pathStyle: boolean
  readonly amount: string
  readonly unit: CapacityUnit
  readonly folder: string
  readonly customHost: string
  readonly signatureSeconds: string
  readonly isPublic: boolean
}

export const NEW_STORAGE: StorageInput = {
  name: '',
  provider: PROVIDERS[0],
  ...templateOf(PROVIDERS[0]),
  bucket: '',
  accessKeyId: '',
  secretAccessKey: '',
  amount: '',
  unit: 'GB',
  folder: '',
  customHost: '',
  signatureSeconds: String(DEFAULT_SIGNATURE_SECONDS),
  isPublic: false,
}

export const inputOfStorage = (config: StorageConfig): StorageInput => ({
  name: config.name,
  provider: config.provider_type,
  endpoint: config.endpoint_url,
  bucket: config.bucket_name,
  region: config.region,
  accessKeyId: '',
  secretAccessKey: '',
  pathStyle: config.path_style === 1,
  ...capacityInputOf(config.total_storage_bytes),
  folder: config.default_folder,
  customHost: config.custom_host ?? '',
  signatureSeconds: String(config.signature_expires_in),
  isPublic: config.is_public === 1,
})

export const isDisk = (provider: string): boolean => provider === LOCAL_DISK_PROVIDER

/** Parses the lifetime of signed URLs; `null` if the text is invalid. */
export function parseSeconds(text: string): number | null {
  if (!/^\d{1,7}$/.test(text.trim())) return null
  const seconds = Number(text)
  return seconds >= 1 && seconds <= SIGNATURE_MAX_SECONDS ? seconds : null
}

export interface StorageProblems {
  readonly name: 'missing' | 'tooLong' | null
  readonly endpoint: 'missing' | 'invalid' | 'placeholder' | null
  readonly bucket: 'missing' | 'noFolder' | 'invalid' | 'noFolderName' | 'tooLong' | null
  readonly accessKeyId: 'missing' | null
  readonly secretAccessKey: 'missing' | null
  readonly amount: CapacityProblem | null
  readonly folder: 'invalid' | 'tooLong' | null
  readonly customHost: 'invalid' | null
  readonly signatureSeconds: 'notSeconds' | null
}

function findEndpointProblem(text: string): StorageProblems['endpoint'] {
  if (text.trim() === '') return 'missing'
  if (text.includes(PLACEHOLDER)) return 'placeholder'
  return plainAddress(text.trim()) === null ? 'invalid' : null
}

function findBucketProblem(text: string, isFolder: boolean): StorageProblems['bucket'] {
  const name = text.trim()
  if (name === '') return isFolder ? 'noFolder' : 'missing'
  if (name.length > BUCKET_NAME_MAX_LENGTH) return 'tooLong'
  if (isFolder) return isDiskFolder(name) ? null : 'noFolderName'
  return isBucketName(name) ? null : 'invalid'
}

/**
 * Keys are required if no keys are stored, for example for a new storage or a former local disk. A user who enters one
 * of the two keys must also enter the other.
 */
function findKeyProblems(input: StorageInput, hasKeys: boolean) {
  const isNeeded = !hasKeys || input.accessKeyId.trim() !== '' || input.secretAccessKey.trim() !== ''
  const problemOf = (text: string): 'missing' | null => (isNeeded && text.trim() === '' ? 'missing' : null)
  return { accessKeyId: problemOf(input.accessKeyId), secretAccessKey: problemOf(input.secretAccessKey) }
}

/** @param edited the storage that is changed; `null` for a new storage */
export function findStorageProblems(
  input: StorageInput,
  edited: Pick<StorageConfig, 'provider_type'> | null,
): StorageProblems {
  const onDisk = isDisk(input.provider)
  const hasKeys = edited !== null && !isDisk(edited.provider_type)
  const capacity = parseCapacity(input)
  const name = input.name.trim()
  const folder = input.folder.trim()
  const host = input.customHost.trim()
  return {
    name: name === '' ? 'missing' : name.length > STORAGE_NAME_MAX_LENGTH ? 'tooLong' : null,
    endpoint: onDisk ? null : findEndpointProblem(input.endpoint),
    bucket: findBucketProblem(input.bucket, onDisk),
    ...(onDisk ? { accessKeyId: null, secretAccessKey: null } : findKeyProblems(input, hasKeys)),
    amount: typeof capacity === 'string' ? capacity : null,
    folder: !isFolderPath(folder) ? 'invalid' : folder.length > FOLDER_MAX_LENGTH ? 'tooLong' : null,
    customHost: !onDisk && host !== '' && plainAddress(host) === null ? 'invalid' : null,
    signatureSeconds: parseSeconds(input.signatureSeconds) === null ? 'notSeconds' : null,
  }
}

/**
 * Body of the request. Blank keys leave the stored keys unchanged; without a capacity, the provider's default applies.
 */
export interface StorageFields {
  readonly name: string
  readonly provider_type: string
  readonly endpoint_url: string
  readonly bucket_name: string
  readonly region: string
  readonly access_key_id: string
  readonly secret_access_key: string
  readonly path_style: boolean
  readonly default_folder: string
  readonly is_public: boolean
  readonly total_storage_bytes: number | null
  readonly custom_host: string
  readonly signature_expires_in: number
}

/** Converts valid input to a request body. A local disk has neither endpoint nor keys. */
export function fieldsOfStorage(input: StorageInput): StorageFields {
  const onDisk = isDisk(input.provider)
  const capacity = parseCapacity(input)
  const ofBucket = (text: string) => (onDisk ? '' : text.trim())
  return {
    name: input.name.trim(),
    provider_type: input.provider,
    endpoint_url: ofBucket(input.endpoint),
    bucket_name: input.bucket.trim(),
    region: ofBucket(input.region),
    access_key_id: ofBucket(input.accessKeyId),
    secret_access_key: ofBucket(input.secretAccessKey),
    path_style: onDisk || input.pathStyle,
    default_folder: input.folder.trim(),
    is_public: input.isPublic,
    total_storage_bytes: typeof capacity === 'number' ? capacity : null,
    custom_host: ofBucket(input.customHost),
    signature_expires_in: parseSeconds(input.signatureSeconds) ?? DEFAULT_SIGNATURE_SECONDS,
  }
}
