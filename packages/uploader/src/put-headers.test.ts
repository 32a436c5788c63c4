import { expect, test } from 'vitest'
import { putHeaders } from './put-headers.ts'

const BACKBLAZE = { 'X-Bz-Content-Sha1': 'do_not_verify', 'X-Requested-With': 'XMLHttpRequest' }
const type = { 'Content-Type': 'text/plain' }
const headersOf = (url: string, providerType?: string) =>
  putHeaders({ url, contentType: 'text/plain', ...(providerType !== undefined && { providerType }) })

test('Backblaze gets the no-checksum header, by provider name or host', () => {
  const own = 'https://files.example.com/b/k?sig=1'
  expect(headersOf(own, 'Backblaze B2')).toEqual({ ...type, ...BACKBLAZE })
  expect(headersOf('https://s3.us-west-004.backblazeb2.com/b/k')).toEqual({ ...type, ...BACKBLAZE })
  expect(headersOf('https://b.s3.eu-central-003.backblazeb2.com/k')).toEqual({ ...type, ...BACKBLAZE })
})

test('other storages get only the type: CORS rules would have to allow each further header', () => {
  for (const provider of ['AWS S3', 'Cloudflare R2', 'Aliyun OSS', 'Other', 'Local disk'])
    expect(headersOf('https://s3.example.com/b/k', provider)).toEqual(type)
  expect(headersOf('https://backblazeb2.com.example.org/k')).toEqual(type)
  expect(headersOf('https://notbackblazeb2.com/k')).toEqual(type)
  expect(headersOf('/api/storage/put')).toEqual(type)
})
