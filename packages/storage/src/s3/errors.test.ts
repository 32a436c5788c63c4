import { expect, test } from 'vitest'
import { StorageError } from '../errors.ts'
import { translate } from './errors.ts'

const answer = (name: string, httpStatusCode: number, message = name) =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode } })
const broken = (code: string, name = 'Error') => Object.assign(new Error(code), { code, name })

test.each([
  ['NoSuchKey', 404, 'storage.not_found'],
  ['NotFound', 404, 'storage.not_found'],
  ['NoSuchUpload', 404, 'storage.not_found'],
  ['NoSuchBucket', 404, 'storage.bucket_missing'],
  ['PreconditionFailed', 412, 'storage.exists'],
  ['ConditionalRequestConflict', 409, 'storage.exists'],
  ['AccessDenied', 403, 'storage.denied'],
  ['SignatureDoesNotMatch', 403, 'storage.denied'],
  ['InvalidAccessKeyId', 403, 'storage.denied'],
  ['RequestTimeTooSkewed', 403, 'storage.denied'],
  ['AuthorizationHeaderMalformed', 400, 'storage.denied'],
  ['EntityTooLarge', 400, 'storage.too_large'],
  ['InvalidPart', 400, 'storage.invalid_part'],
  ['InvalidPartOrder', 400, 'storage.invalid_part'],
  ['EntityTooSmall', 400, 'storage.invalid_part'],
  ['KeyTooLongError', 400, 'storage.invalid_key'],
  ['InvalidObjectName', 400, 'storage.invalid_key'],
  ['XMinioInvalidObjectName', 400, 'storage.invalid_key'],
  ['InvalidURI', 400, 'storage.invalid_key'],
  ['InvalidRange', 416, 'storage.range'],
  ['QuotaExceeded', 403, 'storage.full'],
  ['SlowDown', 503, 'storage.unavailable'],
  ['InternalError', 500, 'storage.unavailable'],
  ['InvalidRequest', 400, 'storage.unavailable'],
  ['PermanentRedirect', 301, 'storage.unavailable'],
  ['constructor', 400, 'storage.unavailable'],
])('the code %s (%d) is %s', (name, status, code) => {
  const cause = answer(name, status)
  expect(translate(cause, 'read')).toMatchObject({ name: 'StorageError', code, cause })
})

test.each([
  [401, 'storage.denied'],
  [403, 'storage.denied'],
  [404, 'storage.not_found'],
  [412, 'storage.exists'],
  [413, 'storage.too_large'],
  [414, 'storage.invalid_key'],
  [416, 'storage.range'],
  [507, 'storage.full'],
  [400, 'storage.unavailable'],
  [502, 'storage.unavailable'],
])('an unknown code with the status %d is %s', (status, code) => {
  expect(translate(answer('UnknownError', status), 'read')).toMatchObject({ code })
})

test.each([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])('%s is unavailable', (code) => {
  expect(translate(broken(code), 'read')).toMatchObject({
    code: 'storage.unavailable',
    message: expect.stringContaining(code),
  })
})

test('a timeout is unavailable', () => {
  const timeout = Object.assign(new Error('30000 ms of inactivity'), { name: 'TimeoutError' })
  expect(translate(timeout, 'read')).toMatchObject({ code: 'storage.unavailable' })
})

test('a refusal that mentions a cap or a quota means full', () => {
  const cause = answer('AccessDenied', 403, 'Cannot upload files, storage cap exceeded.')
  expect(translate(cause, 'write')).toMatchObject({ code: 'storage.full' })
})

test('a StorageError stays unchanged', () => {
  const error = new StorageError('storage.range', 'No such bytes.')
  expect(translate(error, 'read')).toBe(error)
})
