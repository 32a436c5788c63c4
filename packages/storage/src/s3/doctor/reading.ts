import type { S3DriverOptions } from '../client.ts'
import { keyOf } from '../listing.ts'
import { regionOf } from '../providers.ts'
import { bucketUrl, endpointWithoutBucket, takesBucketInHost } from './addresses.ts'
import { diagnose, type Failure } from './failure.ts'
import { type DoctorCode, type Finding, finding, type FindingParams } from './findings.ts'
import { plainRequest, speaksS3 } from './plain-request.ts'
import { attempt, openProbe, type Outcome, type Probe } from './probe.ts'

export interface SeenObject {
  key: string
  sizeBytes: number
  modifiedAtMs: number
}

const SEEN_MAX = 10

/**
 * Lists the first objects of the bucket. Fails if the response is not a listing of this bucket. A server that does not
 * recognise the bucket in the host name lists all its buckets instead.
 */
export function listSome(probe: Probe, prefix: string, signal: AbortSignal): Promise<Outcome<SeenObject[]>> {
  const { bucket, s3 } = probe.ctx
  const input = { Bucket: bucket, Prefix: prefix, MaxKeys: SEEN_MAX, EncodingType: 'url' as const }
  return attempt(signal, async (o) => {
    const page = await s3.listObjectsV2(input, o)
    if (page.Name !== bucket)
      throw Object.assign(new Error('The response is not a listing of the bucket.'), { code: 'NoListing' })
    return (page.Contents ?? []).map((object) => ({
      key: keyOf(object.Key, page) ?? object.Key ?? '',
      sizeBytes: object.Size ?? 0,
      modifiedAtMs: object.LastModified?.getTime() ?? 0,
    }))
  })
}

/** Whether the listing works with other settings. */
async function worksWith(options: S3DriverOptions, signal: AbortSignal): Promise<boolean> {
  const probe = await openProbe(options)
  try {
    return (await listSome(probe, '', signal)).failure === null
  } finally {
    probe.close()
  }
}

/** Problems that the other addressing style cannot solve. */
const BEYOND_STYLE: ReadonlySet<DoctorCode> = new Set([
  'access_key_unknown',
  'secret_wrong',
  'clock_skew',
  'region_wrong',
  'access_denied',
  'unreachable',
  'timeout',
])

async function findStyle(
  options: S3DriverOptions,
  code: DoctorCode | null,
  signal: AbortSignal,
): Promise<Finding | null> {
  const style = options.pathStyle ? 'virtual' : 'path'
  if (code === 'style_wrong') return finding('style_wrong', { style: 'virtual' })
  // If the endpoint's host cannot contain the bucket, both styles are the same. If a host name does not resolve, adding
  // the bucket as a prefix does not help.
  const isSameWay = !takesBucketInHost(options.endpointUrl)
  const isNetwork = code === 'dns_failed' || code === 'tls_failed'
  if (isSameWay || (isNetwork && options.pathStyle) || (code !== null && BEYOND_STYLE.has(code))) return null
  const isMended = await worksWith({ ...options, pathStyle: !options.pathStyle }, signal)
  return isMended ? finding('style_wrong', { style }) : null
}

async function findEndpoint(options: S3DriverOptions, signal: AbortSignal): Promise<Finding | null> {
  const endpointUrl = endpointWithoutBucket(options.endpointUrl, options.bucket)
  if (endpointUrl === null) return null
  const styles = [options.pathStyle, !options.pathStyle]
  for (const pathStyle of styles) {
    if (await worksWith({ ...options, endpointUrl, pathStyle }, signal))
      return finding('bucket_in_endpoint', { endpoint: endpointUrl })
  }
  return null
}

/**
 * Finds the correct region. Some providers do not name the correct region, and report an invalid signature for a wrong
 * region.
 */
async function findRegion(
  options: S3DriverOptions,
  failure: Failure,
  signal: AbortSignal,
): Promise<Finding | null> {
  const code = diagnose(failure)
  const usual = regionOf({ ...options, region: '' })
  if (code === 'region_wrong') return finding('region_wrong', { region: failure.region ?? usual })
  if (code !== 'secret_wrong' || options.region.trim() === '' || options.region === usual) return null
  const isMended = await worksWith({ ...options, region: usual }, signal)
  return isMended ? finding('region_wrong', { region: usual }) : null
}

async function isSomethingElse(options: S3DriverOptions, signal: AbortSignal): Promise<boolean> {
  const { value } = await attempt(signal, ({ abortSignal }) =>
    plainRequest(bucketUrl(options), { method: 'GET', signal: abortSignal }),
  )
  return value !== null && !speaksS3(value)
}

const ON_THE_WAY: ReadonlySet<DoctorCode> = new Set(['dns_failed', 'tls_failed', 'timeout', 'unreachable'])

function paramsOf(code: DoctorCode, options: S3DriverOptions, failure: Failure): FindingParams {
  const host = new URL(bucketUrl(options)).host
  const reason = failure.name
  if (ON_THE_WAY.has(code)) return { host, reason }
  if (code === 'bucket_missing') return { bucket: options.bucket }
  return { reason, status: failure.status ?? '' }
}

/** Explains why the bucket cannot be listed, and tries likely alternatives to find out what to change. */
export async function explainReading(
  options: S3DriverOptions,
  failure: Failure,
  signal: AbortSignal,
): Promise<Finding> {
  const code = diagnose(failure)
  const isCertain = code !== null && ['clock_skew', 'access_key_unknown'].includes(code)
  const found = isCertain
    ? null
    : ((await findEndpoint(options, signal)) ??
      (await findRegion(options, failure, signal)) ??
      (await findStyle(options, code, signal)))
  if (found !== null) return found
  if (code !== null) return finding(code, paramsOf(code, options, failure))
  if (await isSomethingElse(options, signal))
    return finding('not_s3', { host: new URL(options.endpointUrl).host })
  return finding('unknown', { reason: failure.name, status: failure.status ?? '' })
}
