import { expect, test } from 'vitest'
import { diagnose, type Failure, failureOf, failureOfAnswer } from './failure.ts'
import { speaksS3 } from './plain-request.ts'

const failure = (name: string, changes: Partial<Failure> = {}): Failure => ({
  name,
  message: '',
  status: null,
  region: null,
  ...changes,
})

test.each<[Failure, string | null]>([
  [failure('InvalidAccessKeyId', { status: 403 }), 'access_key_unknown'],
  [failure('Unauthorized', { status: 401 }), 'access_key_unknown'],
  [
    failure('InvalidArgument', { status: 400, message: 'Credential access key has length 3, should be 32' }),
    'access_key_unknown',
  ],
  [failure('SignatureDoesNotMatch', { status: 403 }), 'secret_wrong'],
  [failure('NoSuchBucket', { status: 404 }), 'bucket_missing'],
  [failure('AuthorizationHeaderMalformed', { status: 400, region: 'eu-west-1' }), 'region_wrong'],
  [failure('InvalidRegionName', { status: 400 }), 'region_wrong'],
  [failure('UnknownError', { status: 301, region: 'eu-west-1' }), 'region_wrong'],
  [failure('UnknownError', { status: 301 }), null],
  [
    failure('AccessDenied', {
      status: 403,
      message: 'The bucket you are attempting to access must be addressed using the specified endpoint.',
    }),
    'region_wrong',
  ],
  [
    failure('SecondLevelDomainForbidden', { status: 403, message: 'Please use virtual hosted style.' }),
    'style_wrong',
  ],
  [failure('RequestTimeTooSkewed', { status: 403 }), 'clock_skew'],
  [failure('AccessDenied', { status: 403 }), 'access_denied'],
  [failure('AccessDenied', { status: 403, message: 'storage cap exceeded' }), 'storage_full'],
  [failure('ENOTFOUND'), 'dns_failed'],
  [failure('EAI_AGAIN'), 'dns_failed'],
  [failure('ECONNREFUSED'), 'unreachable'],
  [failure('TimeoutError'), 'timeout'],
  [failure('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls_failed'],
  [failure('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls_failed'],
  [failure('ERR_SSL_WRONG_VERSION_NUMBER'), 'tls_failed'],
  [failure('EPROTO'), 'tls_failed'],
  [failure('SlowDown', { status: 503 }), 'storage_failing'],
  [failure('NoSuchKey', { status: 404 }), null],
  [failure('SyntaxError'), null],
])('%j means %s', (given, code) => {
  expect(diagnose(given)).toBe(code)
})

test('a network failure is read from all addresses', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  expect(failureOf(new AggregateError([refused, refused])).name).toBe('ECONNREFUSED')
  expect(failureOf('nonsense')).toMatchObject({ name: 'unknown', status: null })
})

test('the right region is read from the field, the header or the message', () => {
  const withStatus = (name: string, fields: object) =>
    Object.assign(new Error('x'), { name, $metadata: { httpStatusCode: 400 }, ...fields })
  expect(failureOf(withStatus('AuthorizationHeaderMalformed', { Region: 'eu-west-1' })).region).toBe(
    'eu-west-1',
  )
  const $response = { statusCode: 301, headers: { 'x-amz-bucket-region': 'us-west-2' } }
  expect(failureOf(withStatus('PermanentRedirect', { $response })).region).toBe('us-west-2')
  const message = "the region 'auto' is wrong; expecting 'eu-central-1'"
  expect(failureOf(withStatus('AuthorizationHeaderMalformed', { message })).region).toBe('eu-central-1')
})

test('a response names its failure in XML', () => {
  const body = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>No.</Message></Error>'
  expect(failureOfAnswer({ status: 403, headers: {}, body })).toMatchObject({
    name: 'AccessDenied',
    message: 'No.',
    status: 403,
  })
  expect(failureOfAnswer({ status: 502, headers: {}, body: '<html>' }).name).toBe('HTTP 502')
})

test.each([
  [{ 'x-amz-request-id': '1' }, '', true],
  [{ 'x-oss-request-id': '1' }, '', true],
  [{}, '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code></Error>', true],
  [{}, '<ListAllMyBucketsResult/>', true],
  [{}, '<!doctype html><title>Welcome</title>', false],
  [{}, '<?xml version="1.0"?><rss/>', false],
  [{}, '{"error":"not found"}', false],
])('headers %j and body %j speak S3: %s', (headers, body, expected) => {
  expect(speaksS3({ status: 200, headers, body })).toBe(expected)
})
