import { GIB } from '../core/limits.ts'

const TIB = 1024 * GIB
/** 10,000 parts of 5 GiB: the largest object of an upload in parts to S3, and of everything that works like it. */
const ALL_PARTS_BYTES = 10_000 * 5 * GIB

/**
 * Providers with lower limits. Sources: Cloudflare "Limits", r2/platform/limits: 5 TiB less 5 GiB; Backblaze "Large
 * Files", docs/cloud-storage-large-files: 10 TB; both read 2026-11-28.
 */
const LOWER = new Map([
  ['Cloudflare R2', 5 * TIB - 5 * GIB],
  ['Backblaze B2', 10_000_000_000_000],
])

/** Returns the bytes of the largest object that a storage of this provider takes. */
export const objectMaxBytes = (providerType: string): number => LOWER.get(providerType) ?? ALL_PARTS_BYTES
