import { GIB } from '../core/limits.ts'

const TIB = 1024 * GIB
/** Largest object of a multipart upload to S3 and compatible storages: 10,000 parts of 5 GiB. */
const ALL_PARTS_BYTES = 10_000 * 5 * GIB

/**
 * Providers with lower limits. Sources: Cloudflare "Limits", r2/platform/limits: 5 TiB less 5 GiB; Backblaze "Large
 * Files", docs/cloud-storage-large-files: 10 TB; both read 2026-11-28.
 */
const LOWER = new Map([
  ['Cloudflare R2', 5 * TIB - 5 * GIB],
  ['Backblaze B2', 10_000_000_000_000],
])

/** Returns the maximum object size of a storage of this provider, in bytes. */
export const objectMaxBytes = (providerType: string): number => LOWER.get(providerType) ?? ALL_PARTS_BYTES
