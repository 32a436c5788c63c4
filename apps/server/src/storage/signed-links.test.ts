import { parseStorageKey } from '@dropleaf/storage'
import { expect, test } from 'vitest'
import { createSecrets } from '../lib/secrets.ts'
import { createSignedLinks, openSignedLink, type SignedQuery } from './signed-links.ts'

const secrets = createSecrets('a secret that is long enough')
const links = createSignedLinks({ configId: 'cfg', secrets, clock: { nowMs: () => 1_000_999 } })

function read(address: string) {
  const url = new URL(address, 'http://x')
  const [, , , config = '', ...key] = url.pathname.split('/').map(decodeURIComponent)
  return {
    target: { configId: config, key: key.join('/') },
    query: Object.fromEntries(url.searchParams) as unknown as SignedQuery,
  }
}

test('a link contains its permissions, for any key', async () => {
  for (const name of ['a.txt', 'in/here/b.txt', '照片/a b#?&%2f+.png', "it's"]) {
    const address = await links.put(parseStorageKey(name), { expiresInSeconds: 60, maxBytes: 5 })
    const { target, query } = read(address)
    expect(openSignedLink(secrets, { method: 'PUT', issuer: null, ...target }, query)).toEqual({
      method: 'PUT',
      configId: 'cfg',
      key: name,
      expiresAt: 1060,
      maxBytes: 5,
      contentType: null,
      contentDisposition: null,
      part: null,
      isCopy: false,
      issuer: null,
    })
  }
})

test('a link to a part is bound to its upload and its number', async () => {
  const upload = { key: parseStorageKey('照片/a.bin'), uploadId: 'upload-1' }
  const { target, query } = read(await links.part(upload, 7, { expiresInSeconds: 60, maxBytes: 9 }))
  const opens = (change: Partial<SignedQuery>) =>
    openSignedLink(secrets, { method: 'PUT', issuer: null, ...target }, { ...query, ...change })
  expect(opens({})).toMatchObject({
    key: '照片/a.bin',
    expiresAt: 1060,
    maxBytes: 9,
    part: { uploadId: 'upload-1', partNumber: 7 },
  })
  for (const change of [
    { partNumber: '8' },
    { partNumber: '07.5' },
    { partNumber: 'x' },
    { partNumber: undefined },
    { uploadId: 'upload-2' },
    { uploadId: undefined },
    { uploadId: undefined, partNumber: undefined },
    { max: undefined },
  ])
    expect([change, opens(change)]).toEqual([change, null])
})

test('a modified link is refused', async () => {
  const options = { expiresInSeconds: 60, contentType: 'text/plain', contentDisposition: 'inline' }
  const { target, query } = read(await links.get(parseStorageKey('a.txt'), options))
  const opens = (change: Partial<SignedQuery>, method: 'GET' | 'PUT' = 'GET', at = target) =>
    openSignedLink(secrets, { method, issuer: null, ...at }, { ...query, ...change }) !== null
  expect(opens({})).toBe(true)
  expect(opens({}, 'PUT')).toBe(false)
  expect(opens({}, 'GET', { ...target, key: 'b.txt' })).toBe(false)
  expect(opens({}, 'GET', { ...target, configId: 'other' })).toBe(false)
  for (const change of [
    { expires: '1061' },
    { expires: 'NaN' },
    { max: '1' },
    { max: 'NaN' },
    { type: 'text/html' },
    { type: undefined },
    { disposition: 'attachment' },
    { purpose: 'copy' },
    { uploadId: 'x', partNumber: '1' },
    { uploadId: 'x' },
    { signature: '' },
    { signature: `${query.signature}x` },
  ])
    expect([change, opens(change)]).toEqual([change, false])
  expect(
    openSignedLink(
      createSecrets('another secret, as long'),
      { method: 'GET', issuer: null, ...target },
      query,
    ),
  ).toBeNull()
})

test('a link with an issuer is valid only for that issuer, with the same permissions and base path', async () => {
  const issuer = { by: 'apikey:7', right: 'write', scope: '/photos' }
  const address = await links.put(parseStorageKey('a.txt'), { expiresInSeconds: 60, issuer })
  const { target, query } = read(address)
  const opens = (given: typeof issuer | null) =>
    openSignedLink(secrets, { method: 'PUT', issuer: given, ...target }, query) !== null
  expect([query.by, query.right]).toEqual(['apikey:7', 'write'])
  expect(opens(issuer)).toBe(true)
  expect(opens(null)).toBe(false)
  for (const change of [{ by: 'apikey:8' }, { right: 'read' }, { scope: '/' }])
    expect(opens({ ...issuer, ...change })).toBe(false)
})
