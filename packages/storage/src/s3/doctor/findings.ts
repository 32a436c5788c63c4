/**
 * What can be wrong with a bucket, the way to it, or the right to it.
 *
 * - `access_key_unknown`, `secret_wrong`, `bucket_missing`, `region_wrong` as they say; `region` names the right one if known
 * - `clock_skew` this machine's clock and the storage's differ by `minutes`, this one being `direction`
 * - `dns_failed`, `tls_failed`, `timeout`, `unreachable` the way to `host`
 * - `style_wrong` the bucket is to be named in the `style` that is not set: `path` or `virtual`
 * - `not_s3` what answers does not speak S3
 * - `bucket_in_endpoint` the endpoint names the bucket already; `endpoint` is the one without it
 * - `access_denied` neither reading nor writing is allowed; `list_denied`, `read_only`, `delete_denied` one of them is not
 * - `storage_full`, `storage_failing` the storage refuses or fails inside
 * - `cors_missing` no page of `origin` may use the bucket; `cors_no_put`, `cors_headers`, `cors_no_etag` what the rules lack
 * - `mixed_content` a page on https may not speak to an endpoint on http
 * - `signed_upload_failed` a signed upload is refused where the same credentials may write
 * - `uploads_never_aborted` nothing removes the parts of uploads that were never completed
 * - `unknown` something else; `name` is the storage's own word
 */
export type DoctorCode =
  | 'access_key_unknown'
  | 'secret_wrong'
  | 'bucket_missing'
  | 'region_wrong'
  | 'clock_skew'
  | 'dns_failed'
  | 'tls_failed'
  | 'timeout'
  | 'unreachable'
  | 'style_wrong'
  | 'not_s3'
  | 'bucket_in_endpoint'
  | 'access_denied'
  | 'list_denied'
  | 'read_only'
  | 'delete_denied'
  | 'storage_full'
  | 'storage_failing'
  | 'cors_missing'
  | 'cors_no_put'
  | 'cors_headers'
  | 'cors_no_etag'
  | 'mixed_content'
  | 'signed_upload_failed'
  | 'uploads_never_aborted'
  | 'unknown'

export type FindingParams = Record<string, string | number>

/** `error` keeps the product from working, `warning` some of it, `info` may cost something later. */
export interface Finding {
  code: DoctorCode
  severity: 'error' | 'warning' | 'info'
  params: FindingParams
  /** Whether the rule that is missing can be written with these credentials. */
  isFixable: boolean
  /** Absent when nobody asked for it. */
  isFixed?: boolean
}

const WARNINGS: ReadonlySet<DoctorCode> = new Set(['delete_denied', 'list_denied', 'uploads_never_aborted'])

export function finding(code: DoctorCode, params: FindingParams = {}): Finding {
  return { code, severity: WARNINGS.has(code) ? 'warning' : 'error', params, isFixable: false }
}
