export type S3Provider = 'Cloudflare R2' | 'Backblaze B2' | 'AWS S3' | 'Aliyun OSS' | 'Other'

/** What differs between providers that speak S3. */
export interface ProviderTraits {
  /** Milliseconds without a byte in either direction after which a call fails. */
  timeoutMs: number
  retries: number
  /** Whether to send `If-None-Match: *` and `If-Match` with PutObject and CompleteMultipartUpload. */
  sendsCondition: boolean
  /** Whether those conditions are known to let exactly one writer win. */
  keepsCondition: boolean
  /** Whether an etag in `If-Match` keeps its quotes. Ceph wants it without; MinIO accepts both. */
  quotesEtag: boolean
  /** Header of CopyObject that refuses to replace; null if there is none. */
  copyCondition: string | null
  /** Whether a signed GET may override the content type. */
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
 * Conditions: AWS "Conditional writes", userguide/conditional-writes.html; Cloudflare "Conditional operations",
 * r2/api/s3/conditional-operations; both read 2026-11-20. AWS documents none for CopyObject in every region. Backblaze
 * and Aliyun document none for S3 writes.
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
 * Hosts that contain their region: `s3.eu-west-1.amazonaws.com`, `s3.us-west-004.backblazeb2.com`,
 * `oss-cn-hangzhou.aliyuncs.com`.
 */
const REGION_IN_HOST: Partial<Record<S3Provider, RegExp>> = {
  'AWS S3': /(?:^|\.)s3[.-](?:dualstack\.)?([a-z]{2,}(?:-[a-z]+)+-\d+)\.amazonaws\.com(?:\.cn)?$/,
  'Backblaze B2': /(?:^|\.)s3\.([a-z0-9-]+)\.backblazeb2\.com$/,
  'Aliyun OSS': /(?:^|\.)oss-([a-z0-9-]+?)(?:-internal)?\.aliyuncs\.com$/,
}

/** The region to sign for: the given region, the region in the endpoint's host, or the provider's default. */
export function regionOf(o: { provider: S3Provider; endpointUrl: string; region: string }): string {
  const given = o.region.trim()
  if (given !== '') return given
  if (o.provider === 'Cloudflare R2') return 'auto'
  const { hostname } = new URL(o.endpointUrl)
  return REGION_IN_HOST[o.provider]?.exec(hostname)?.[1] ?? 'us-east-1'
}

/** Milliseconds before a retry, counted from 0: 500, 1000, 2000, … 10,000. */
export function retryDelayMs(retry: number): number {
  return Math.min(2 ** retry * 500, 10_000)
}
