import { SealError } from '@dropleaf/seal'
import { expect, test } from 'vitest'
import { ApiError } from '../../../lib/api-error.ts'
import { RangeRefusedError } from './read-range.ts'
import { toPreviewError } from './sealed-fault.ts'

const unreachable = (cause: unknown) => new SealError('object.unreachable', { cause })

test.each([
  ['an object that the storage does not have', new RangeRefusedError(404), 'storage.object_missing'],
  ['an object that is gone', new RangeRefusedError(410), 'storage.object_missing'],
  ['the reason of the server', new RangeRefusedError(410, 'bundle.expired'), 'bundle.expired'],
  [
    'an object that is gone from the database',
    new RangeRefusedError(409, 'bundle.object_missing'),
    'storage.object_missing',
  ],
  ['another refusal', new RangeRefusedError(403), 'client.unknown'],
])('a reader is told of %s', (_name, cause, code) => {
  expect(toPreviewError(unreachable(cause))).toMatchObject({ kind: 'http', status: cause.status, code })
})

test('an address that the server does not give for a missing object is told as such', () => {
  const cause = new ApiError({ kind: 'http', status: 409, code: 'bundle.object_missing', message: '' })
  expect(toPreviewError(unreachable(cause))).toMatchObject({ code: 'storage.object_missing' })
})

test.each([new RangeRefusedError(503), new TypeError('Failed to fetch')])(
  'a server in trouble and a broken connection may work later: %s',
  (cause) => {
    expect(toPreviewError(unreachable(cause))).toMatchObject({ kind: 'timeout', code: 'client.network' })
  },
)
