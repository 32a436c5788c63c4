import { expect, test } from 'vitest'
import { parseStorageKey } from '../keys.ts'
import { objectUrl, publicUrl } from './public-url.ts'

const key = parseStorageKey('照片/a b#?.jpg')
const path = '%E7%85%A7%E7%89%87/a%20b%23%3F.jpg'

test.each([
  ['https://cdn.test', false, undefined, `https://cdn.test/${path}`],
  ['https://cdn.test/', true, undefined, `https://cdn.test/my-bucket/${path}`],
  ['https://cdn.test/below', false, undefined, `https://cdn.test/below/${path}`],
  [
    'https://cdn.test',
    false,
    'https://s3.test/x?X-Amz-Signature=1',
    `https://cdn.test/${path}?X-Amz-Signature=1`,
  ],
  [null, false, undefined, null],
])('the custom host %j, path style %j, link %j', (customHost, pathStyle, signedUrl, expected) => {
  expect(publicUrl({ customHost, pathStyle, bucket: 'my-bucket' }, key, signedUrl)).toBe(expected)
})

test.each([
  ['https://s3.test', true, `https://s3.test/my-bucket/${path}`],
  ['https://s3.test:9000/', false, `https://my-bucket.s3.test:9000/${path}`],
])('the address at %j, path style %j', (endpointUrl, pathStyle, expected) => {
  expect(objectUrl({ endpointUrl, pathStyle, bucket: 'my-bucket' }, key)).toBe(expected)
})
