import { UploadError } from '@dropleaf/uploader'
import { expect, test } from 'vitest'
import { CliError, EXIT } from './errors.ts'
import { inOurWords } from './uploads.ts'

const server = 'https://share.example.org/drop'

test('a line that is dead is a matter of the network, which the same command may try again', () => {
  const timeout = new UploadError('upload.timeout', new UploadError('upload.timeout'))
  expect(inOurWords({ server }, timeout)).toMatchObject({
    exitCode: 5,
    text: 'net.timeout',
    params: { host: 'share.example.org' },
  })
})

test('what an upload ran into is told as it was', () => {
  const cause = new CliError({ exitCode: EXIT.refused, message: 'too large' })
  expect(inOurWords({ server }, new UploadError('upload.parts_failed', cause))).toBe(cause)
})
