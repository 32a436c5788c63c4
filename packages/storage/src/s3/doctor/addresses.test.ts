import { expect, test } from 'vitest'
import { bucketUrl, endpointWithoutBucket } from './addresses.ts'

test.each([
  ['https://photos.s3.eu-west-1.amazonaws.com', 'https://s3.eu-west-1.amazonaws.com'],
  ['https://s3.eu-west-1.amazonaws.com/photos', 'https://s3.eu-west-1.amazonaws.com'],
  ['https://s3.eu-west-1.amazonaws.com/photos/', 'https://s3.eu-west-1.amazonaws.com'],
  ['http://127.0.0.1:9000/base/photos', 'http://127.0.0.1:9000/base'],
  ['https://s3.eu-west-1.amazonaws.com', null],
  ['https://photos2.s3.amazonaws.com', null],
  ['https://s3.amazonaws.com/photos2', null],
])('the endpoint %s without the bucket photos: %s', (endpointUrl, expected) => {
  expect(endpointWithoutBucket(endpointUrl, 'photos')).toBe(expected)
})

test.each([
  ['https://s3.test', true, 'https://s3.test/photos'],
  ['https://s3.test/base/', true, 'https://s3.test/base/photos'],
  ['https://s3.test', false, 'https://photos.s3.test/'],
  ['http://127.0.0.1:9000', false, 'http://127.0.0.1:9000/photos'],
])('the bucket photos at %s, path style %s: %s', (endpointUrl, pathStyle, expected) => {
  expect(bucketUrl({ endpointUrl, bucket: 'photos', pathStyle })).toBe(expected)
})
