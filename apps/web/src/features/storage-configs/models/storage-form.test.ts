import { expect, test } from 'vitest'
import { changesFor } from './providers.ts'
import { fieldsOfStorage, findStorageProblems, NEW_STORAGE, type StorageInput } from './storage-form.ts'

const input = (change: Partial<StorageInput>): StorageInput => ({
  ...NEW_STORAGE,
  name: 'Bucket',
  endpoint: 'https://s3.example.com',
  bucket: 'bucket',
  accessKeyId: 'id',
  secretAccessKey: 'secret',
  ...change,
})
const problemsOf = (change: Partial<StorageInput>, edited: string | null = null) =>
  Object.entries(
    findStorageProblems(input(change), edited === null ? null : { provider_type: edited }),
  ).flatMap(([field, problem]) => (problem === null ? [] : [`${field} ${problem}`]))

test.each<[Partial<StorageInput>, string[]]>([
  [{}, []],
  [{ name: ' ' }, ['name missing']],
  [{ name: 'x'.repeat(51) }, ['name tooLong']],
  [{ endpoint: '' }, ['endpoint missing']],
  [{ endpoint: 's3.example.com' }, ['endpoint invalid']],
  [{ endpoint: 'ftp://s3.example.com' }, ['endpoint invalid']],
  [{ endpoint: 'https://s3.example.com?x=1' }, ['endpoint invalid']],
  [{ endpoint: NEW_STORAGE.endpoint }, ['endpoint placeholder']],
  [{ endpoint: 'http://127.0.0.1:9000/' }, []],
  [{ bucket: '' }, ['bucket missing']],
  [{ bucket: 'a/b' }, ['bucket invalid']],
  [{ bucket: 'x'.repeat(256) }, ['bucket tooLong']],
  [{ accessKeyId: '' }, ['accessKeyId missing']],
  [{ secretAccessKey: '' }, ['secretAccessKey missing']],
  [{ amount: 'ten' }, ['amount notANumber']],
  [{ folder: 'a/../b' }, ['folder invalid']],
  [{ folder: 'a//b' }, ['folder invalid']],
  [{ folder: '/photos/2030/' }, []],
  [{ folder: 'x'.repeat(901) }, ['folder tooLong']],
  [{ customHost: 'cdn.example.com' }, ['customHost invalid']],
  [{ signatureSeconds: '0' }, ['signatureSeconds notSeconds']],
  [{ signatureSeconds: '604801' }, ['signatureSeconds notSeconds']],
  [{ signatureSeconds: '1.5' }, ['signatureSeconds notSeconds']],
])('%j: %j', (change, problems) => {
  expect(problemsOf(change)).toEqual(problems)
})

test('a local disk needs a name for its folder, and nothing of a bucket', () => {
  const disk = { provider: 'Local disk', endpoint: '', accessKeyId: '', secretAccessKey: '', customHost: 'x' }
  expect(problemsOf(disk)).toEqual([])
  expect(problemsOf({ ...disk, bucket: '' })).toEqual(['bucket noFolder'])
  expect(problemsOf({ ...disk, bucket: 'a:b' })).toEqual(['bucket noFolderName'])
  expect(problemsOf({ ...disk, bucket: '..' })).toEqual(['bucket noFolderName'])
  expect(fieldsOfStorage(input(disk))).toMatchObject({ endpoint_url: '', custom_host: '', path_style: true })
})

test('stored keys can stay blank, but only both together', () => {
  const blank = { accessKeyId: '', secretAccessKey: '' }
  expect(problemsOf(blank, 'AWS S3')).toEqual([])
  expect(problemsOf({ ...blank, accessKeyId: 'new' }, 'AWS S3')).toEqual(['secretAccessKey missing'])
  expect(problemsOf(blank, 'Local disk')).toEqual(['accessKeyId missing', 'secretAccessKey missing'])
})

test('a provider sets its endpoint, unless one was typed', () => {
  expect(changesFor(NEW_STORAGE, 'Backblaze B2')).toEqual({
    provider: 'Backblaze B2',
    endpoint: 'https://s3.us-west-004.backblazeb2.com',
    region: 'us-west-004',
    pathStyle: true,
  })
  const typed = input({ region: 'home' })
  expect(changesFor(typed, 'Aliyun OSS')).toMatchObject({
    endpoint: 'https://s3.example.com',
    region: 'home',
    pathStyle: false,
  })
  expect(changesFor({ ...NEW_STORAGE, pathStyle: true }, 'Other')).toMatchObject({
    endpoint: '',
    pathStyle: true,
  })
})
