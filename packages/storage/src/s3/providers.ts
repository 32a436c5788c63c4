export type S3Provider = 'Cloudflare R2' | 'Backblaze B2' | 'AWS S3' | 'Aliyun OSS' | 'Other'

/** Differences between S3 providers. */
export interface ProviderTraits {
  /** A call fails after this time in milliseconds without data in either direction. */
  timeoutMs: number
  retries: number
  /** Whether to send `If-None-Match: *` and `If-Match` with PutObject and CompleteMultipartUpload. */
  sendsCondition: boolean
  /** Whether exactly one of several concurrent writers is known to succeed with these conditions. */
  keepsCondition: boolean
  /** Whether an etag in `If-Match` keeps its quotes. Ceph expects the etag without quotes; MinIO accepts both. */
  quotesEtag: boolean
  /** CopyObject header that prevents replacing an object; null if the provider has none. */
  copyCondition: string | null
  /** Whether a signed GET can override the content type. */
  overridesContentType: boolean
}

const COMMON: ProviderTraits = {
  timeoutMs: 30_000,
  retries: 3,
  sendsCondition: true,
  keepsCondition: true,
  quotesEtag: true,
  copyCondition: null,
  overridesContentType: true,
}

/**
 * Sources for the conditions: AWS "Conditional writes", userguide/conditional-writes.html; Cloudflare "Conditional
 * operations", r2/api/s3/conditional-operations; both read 2026-11-20. AWS does not document conditions of CopyObject
 * for every region. Backblaze and Aliyun document none for S3 writes.
 */
const TRAITS: Record<S3Provider, ProviderTraits> = {
  'AWS S3': COMMON,
  'Cloudflare R2': { ...COMMON, copyCondition: 'cf-copy-destination-if-none-match' },
  'Backblaze B2': {
    ...COMMON,
    timeoutMs: 60_000,
    retries: 4,
    sendsCondition: false,
    keepsCondition: false,
  },
  'Aliyun OSS': { ...COMMON, sendsCondition: false, keepsCondition: false, overridesContentType: false },
  Other: { ...COMMON, keepsCondition: false, quotesEtag: false },
}

export function traitsOf(provider: S3Provider): ProviderTraits {
  return TRAITS[provider]
}

/**
 * Matches hosts that contain their region: `s3.eu-west-1.amazonaws.com`, `s3.us-west-004.backblazeb2.com`,
 * `oss-cn-hangzhou.aliyuncs.com`.
 */
const REGION_IN_HOST: Partial<Record<S3Provider, RegExp>> = {
  'AWS S3': /(?:^|\.)s3[.-](?:dualstack\.)?([a-z]{2,}(?:-[a-z]+)+-\d+)\.amazonaws\.com(?:\.cn)?$/,
  'Backblaze B2': /(?:^|\.)s3\.([a-z0-9-]+)\.backblazeb2\.com$/,
  'Aliyun OSS': /(?:^|\.)oss-([a-z0-9-]+?)(?:-internal)?\.aliyuncs\.com$/,
}

/** Returns the region to sign for: the given region, the region in the endpoint's host, or the provider's default. */
export function regionOf(o: { provider: S3Provider; endpointUrl: string; region: string }): string {
  const given = o.region.trim()
  if (given !== '') return given
  if (o.provider === 'Cloudflare R2') return 'auto'
  const { hostname } = new URL(o.endpointUrl)
  return REGION_IN_HOST[o.provider]?.exec(hostname)?.[1] ?? 'us-east-1'
}

/** Returns the delay before a retry in milliseconds: 500, 1000, 2000, … 10,000. Retries are counted from 0. */
export function retryDelayMs(retry: number): number {
  return Math.min(2 ** retry * 500, 10_000)
}
