import { UploadError } from '@dropleaf/uploader'
import { expect, test } from 'vitest'
import { CliError, EXIT } from './errors.ts'
import { inOurWords } from './part-uploads.ts'

const server = 'https://share.example.org/drop'

test('a dead connection is a network error, and the same command may retry', () => {
  const timeout = new UploadError('upload.timeout', new UploadError('upload.timeout'))
  expect(inOurWords({ server }, timeout)).toMatchObject({
    exitCode: 5,
    text: 'net.timeout',
    params: { host: 'share.example.org' },
  })
})

test('the original error of an upload is reported', () => {
  const cause = new CliError({ exitCode: EXIT.refused, message: 'too large' })
  expect(inOurWords({ server }, new UploadError('upload.parts_failed', cause))).toBe(cause)
})
