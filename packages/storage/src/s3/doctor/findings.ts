/**
 * Problems of a bucket, the network path to it, or the permissions.
 * - `access_key_unknown`, `secret_wrong`, `bucket_missing`, `region_wrong` as named; `region` is the correct one if
 * known
 * - `clock_skew` this machine's clock and the storage's differ by `minutes`; this machine's clock is `direction`
 * - `dns_failed`, `tls_failed`, `timeout`, `unreachable` the network path to `host` fails
 * - `style_wrong` the bucket needs the other `style`: `path` or `virtual`
 * - `not_s3` the server does not speak S3
 * - `bucket_in_endpoint` the endpoint contains the bucket name; `endpoint` is the endpoint without it
 * - `access_denied` neither reading nor writing is allowed; `list_denied`, `read_only`, `delete_denied` one operation
 * is not allowed
 * - `storage_full`, `storage_failing` the storage is full or fails internally
 * - `cors_missing` no page of `origin` can use the bucket; `cors_no_put`, `cors_headers`, `cors_no_etag` name the
 * missing rule
 * - `mixed_content` a page on https cannot connect to an endpoint on http
 * - `signed_upload_failed` a signed upload is refused although the same credentials are allowed to write
 * - `uploads_never_aborted` no rule removes the parts of incomplete uploads
 * - `unknown` anything else; `reason` is the storage's own code
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

/**
 * A finding of the connection test. Severity `error` prevents the product from working, `warning` breaks a part of it,
 * and `info` might cost something later.
 */
export interface Finding {
  code: DoctorCode
  severity: 'error' | 'warning' | 'info'
  params: FindingParams
  /** Whether these credentials can add the missing rule. */
  isFixable: boolean
  /** Absent if no repair was requested. */
  isFixed?: boolean
}

const WARNINGS: ReadonlySet<DoctorCode> = new Set(['delete_denied', 'list_denied', 'uploads_never_aborted'])

export function finding(code: DoctorCode, params: FindingParams = {}): Finding {
  return { code, severity: WARNINGS.has(code) ? 'warning' : 'error', params, isFixable: false }
}
