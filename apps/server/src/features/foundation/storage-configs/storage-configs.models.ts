import {
  DEFAULT_CAPACITY_BYTES,
  DEFAULT_SIGNATURE_SECONDS,
  FREE_TIER_BYTES,
  isBucketName,
  isDiskFolder,
  LOCAL_DISK_PROVIDER,
  type ParsedOf,
  plainAddress,
  type storageConfigRoutes,
  storageErrors,
} from '@dropleaf/contract'
import { isKeySegment, parseFolderKey } from '@dropleaf/storage'
import { AppError } from '../../../lib/app-error.ts'
import { parseVirtualPath } from '../../../lib/paths.ts'
import type { StorageConfigRow } from './storage-configs.table.ts'

export type ConfigInput = ParsedOf<typeof storageConfigRoutes.create, 'body'>
export type ConfigChange = ParsedOf<typeof storageConfigRoutes.update, 'body'>

/** The settings of a storage, without credentials. */
export type ConfigFields = Pick<
  StorageConfigRow,
  | 'name'
  | 'provider_type'
  | 'endpoint_url'
  | 'bucket_name'
  | 'region'
  | 'path_style'
  | 'default_folder'
  | 'is_public'
  | 'total_storage_bytes'
  | 'custom_host'
  | 'signature_expires_in'
>

const FREE_TIERS = new Set(['Cloudflare R2', 'Backblaze B2'])

/** Returns the default capacity of a storage; `null` for unlimited. */
export function defaultCapacity(providerType: string): number | null {
  if (providerType === LOCAL_DISK_PROVIDER) return null
  return FREE_TIERS.has(providerType) ? FREE_TIER_BYTES : DEFAULT_CAPACITY_BYTES
}

export const isLocalDisk = ({ provider_type }: Pick<StorageConfigRow, 'provider_type'>): boolean =>
  provider_type === LOCAL_DISK_PROVIDER

/** Validates the fields of a local disk, which has no endpoint. @throws {AppError} `storage.folder_invalid` */
function settleDisk(fields: ConfigFields): ConfigFields {
  const { bucket_name: folder } = fields
  if (!isKeySegment(folder) || !isDiskFolder(folder)) throw new AppError(storageErrors.folder_invalid)
  return { ...fields, endpoint_url: '', region: '', path_style: 1, custom_host: null }
}

/** @throws {AppError} `storage.endpoint_invalid`, `storage.bucket_invalid`, `storage.custom_host_invalid` */
function settleS3(fields: ConfigFields): ConfigFields {
  const endpoint = plainAddress(fields.endpoint_url)
  if (endpoint === null) throw new AppError(storageErrors.endpoint_invalid)
  if (!isBucketName(fields.bucket_name)) throw new AppError(storageErrors.bucket_invalid)
  const host = fields.custom_host === null ? null : plainAddress(fields.custom_host)
  if (host === null && fields.custom_host !== null) throw new AppError(storageErrors.custom_host_invalid)
  return { ...fields, endpoint_url: endpoint, custom_host: host }
}

/** Returns the folder without leading and trailing slashes. @throws {AppError} `storage.default_folder_invalid` */
function settleFolder(text: string): string {
  const folder = parseVirtualPath(text)?.slice(1)
  if (folder === '') return ''
  try {
    if (folder !== undefined) return parseFolderKey(`${folder}/`).slice(0, -1)
  } catch (cause) {
    throw new AppError(storageErrors.default_folder_invalid, { cause })
  }
  throw new AppError(storageErrors.default_folder_invalid)
}

/**
 * Normalizes and validates the fields together, because the rules depend on the provider.
 * @throws {AppError} `storage.endpoint_invalid`, `storage.bucket_invalid`, `storage.custom_host_invalid`,
 * `storage.folder_invalid`, `storage.default_folder_invalid`
 */
export function settleFields(fields: ConfigFields): ConfigFields {
  const settled = isLocalDisk(fields) ? settleDisk(fields) : settleS3(fields)
  return { ...settled, default_folder: settleFolder(settled.default_folder) }
}

/** @throws {AppError} the errors of {@link settleFields} */
export const fieldsOfInput = (input: ConfigInput): ConfigFields =>
  settleFields({
    name: input.name,
    provider_type: input.provider_type,
    endpoint_url: input.endpoint_url ?? '',
    bucket_name: input.bucket_name,
    region: input.region ?? '',
    path_style: Number(input.path_style),
    default_folder: input.default_folder ?? '',
    is_public: Number(input.is_public),
    total_storage_bytes: input.total_storage_bytes ?? defaultCapacity(input.provider_type),
    custom_host: input.custom_host,
    signature_expires_in: input.signature_expires_in ?? DEFAULT_SIGNATURE_SECONDS,
  })

const orKept = <T>(given: T | undefined, kept: T): T => (given === undefined ? kept : given)

function capacityAfter(row: StorageConfigRow, change: ConfigChange): number | null {
  if (change.total_storage_bytes === undefined) return row.total_storage_bytes
  const isUnlimitedDisk = isLocalDisk(row) && row.total_storage_bytes === null
  if (isUnlimitedDisk && change.total_storage_bytes === DEFAULT_CAPACITY_BYTES && !change.limit_is_meant)
    return null
  return change.total_storage_bytes ?? defaultCapacity(change.provider_type ?? row.provider_type)
}

/** Returns the validated fields after a change. @throws {AppError} the errors of {@link settleFields} */
export const fieldsAfter = (row: StorageConfigRow, change: ConfigChange): ConfigFields =>
  settleFields({
    name: change.name ?? row.name,
    provider_type: change.provider_type ?? row.provider_type,
    endpoint_url: orKept(change.endpoint_url, row.endpoint_url) ?? '',
    bucket_name: change.bucket_name ?? row.bucket_name,
    region: orKept(change.region, row.region) ?? '',
    path_style: change.path_style === undefined ? row.path_style : Number(change.path_style),
    default_folder: orKept(change.default_folder, row.default_folder) ?? '',
    is_public: change.is_public === undefined ? row.is_public : Number(change.is_public),
    total_storage_bytes: capacityAfter(row, change),
    custom_host: orKept(change.custom_host, row.custom_host),
    signature_expires_in: change.signature_expires_in ?? row.signature_expires_in,
  })
