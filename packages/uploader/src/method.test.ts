import { expect, test } from 'vitest'
import { MULTIPART_FROM_BYTES } from './limits.ts'
import { chooseMethod, type UploadMethod } from './method.ts'

const bySize = (sizeBytes: number, preferred: UploadMethod | 'auto' = 'auto', takesParts = true) =>
  chooseMethod({ preferred, sizeBytes, takesParts })

test('the size selects the method', () => {
  expect(bySize(0)).toBe('presigned')
  expect(bySize(MULTIPART_FROM_BYTES - 1)).toBe('presigned')
  expect(bySize(MULTIPART_FROM_BYTES)).toBe('multipart')
  expect(bySize(MULTIPART_FROM_BYTES, 'auto', false)).toBe('presigned')
})

test('the preferred method is used where possible', () => {
  expect(bySize(MULTIPART_FROM_BYTES, 'presigned')).toBe('presigned')
  expect(bySize(MULTIPART_FROM_BYTES, 'direct')).toBe('direct')
  expect(bySize(1, 'multipart')).toBe('multipart')
  expect(bySize(0, 'multipart')).toBe('presigned')
  expect(bySize(1, 'multipart', false)).toBe('presigned')
})
