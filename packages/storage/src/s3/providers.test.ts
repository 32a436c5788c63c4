import { expect, test } from 'vitest'
import { regionOf, retryDelayMs, type S3Provider, traitsOf } from './providers.ts'

test.each<[S3Provider, string, string, string]>([
  ['AWS S3', 'https://s3.eu-west-1.amazonaws.com', ' eu-central-1 ', 'eu-central-1'],
  ['AWS S3', 'https://s3.eu-west-1.amazonaws.com', '', 'eu-west-1'],
  ['AWS S3', 'https://s3.dualstack.ap-southeast-2.amazonaws.com', '', 'ap-southeast-2'],
  ['AWS S3', 'https://s3.cn-north-1.amazonaws.com.cn', '', 'cn-north-1'],
  ['AWS S3', 'https://s3.amazonaws.com', '', 'us-east-1'],
  ['Cloudflare R2', 'https://abc.r2.cloudflarestorage.com', '', 'auto'],
  ['Backblaze B2', 'https://s3.us-west-004.backblazeb2.com', '', 'us-west-004'],
  ['Aliyun OSS', 'https://oss-cn-hangzhou.aliyuncs.com', '', 'cn-hangzhou'],
  ['Aliyun OSS', 'https://s3.oss-ap-southeast-1-internal.aliyuncs.com', '', 'ap-southeast-1'],
  ['Aliyun OSS', 'https://files.example.com', '', 'us-east-1'],
  ['Other', 'http://127.0.0.1:7480', '', 'us-east-1'],
])('%s at %s with the region %j signs for %s', (provider, endpointUrl, region, expected) => {
  expect(regionOf({ provider, endpointUrl, region })).toBe(expected)
})

test('retries wait twice as long each time, 10 s at most', () => {
  expect([0, 1, 2, 3, 4, 5, 9].map(retryDelayMs)).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000])
})

test('Backblaze gets more time and one more retry', () => {
  expect(traitsOf('Backblaze B2')).toMatchObject({ timeoutMs: 60_000, retries: 4 })
  expect(traitsOf('Other')).toMatchObject({ timeoutMs: 30_000, retries: 3 })
})
