import { expect, test } from 'vitest'
import { toBase64url, utf8 } from '../core/bytes.ts'
import { padme } from '../core/padme.ts'
import { deriveShareKeys } from '../keys/schedule.ts'
import { planObject } from '../objects/geometry.ts'
import { counting, filled, hex, sha256, unhex } from '../testing/stored.ts'
import { encryptManifest, manifestContext, openManifest, sealManifest } from './manifest.ts'
import type { Manifest } from './manifest.schema.ts'

const salt = toBase64url(filled(16, 0xa0))
const place = {
  bundleId: '00112233-4455-6677-8899-aabbccddeeff',
  revision: 1,
  salts: { salt, kdf: null },
}
const kdf = { name: 'argon2id', m: 65_536, t: 3, p: 1, salt: toBase64url(filled(16, 0xd0)) } as const
const { manifestKey } = await deriveShareKeys({
  secret: counting(32),
  salt: filled(16, 0xa0),
  passwordKey: null,
})
const text = (content: string): Manifest => ({
  v: 1,
  page: { type: 'text/plain', text: content },
  objects: [],
  items: [],
})

/** Encrypts arbitrary bytes as a manifest. Only a holder of the key can do this. */
async function forge(plain: Uint8Array<ArrayBuffer>) {
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: filled(12, 1), additionalData: manifestContext(place) },
    manifestKey,
    plain,
  )
  return new Uint8Array([...filled(12, 1), ...new Uint8Array(sealed)])
}

test('golden vector', async () => {
  const sealed = await encryptManifest({
    manifest: text('Dropleaf'),
    manifestKey,
    place,
    nonce: filled(12, 0xc0),
  })
  expect(sealed.length).toBe(540)
  expect(hex(sealed.subarray(0, 44))).toBe(
    'c0c0c0c0c0c0c0c0c0c0c0c0f49d047684081f090b52ee553c48aea9761acf779604571f0cf1bd70ce4dc643',
  )
  expect(hex(sealed.subarray(-16))).toBe('c06d74f1b1a3cbe7b5b97527672c1dc6')
  expect(await sha256(sealed)).toBe('36d20c25430145fe809af3c81fbfc56bba6f70058f4d48b4f2dbe90af5344423')
})

test('what the tag covers, in a fixed form', () => {
  expect(hex(manifestContext(place))).toBe(
    hex(utf8('DLM1')) +
      '00112233445566778899aabbccddeeff' +
      '00000001' +
      hex(utf8(`{"kdf":null,"salt":"${salt}"}`)),
  )
  const mixed = { t: 3, salt: kdf.salt, p: 1, name: 'argon2id', m: 65_536 } as const
  const context = manifestContext({ ...place, revision: 258, salts: { kdf: mixed, salt } })
  expect(hex(context.subarray(20, 24))).toBe('00000102')
  expect(Buffer.from(context.subarray(24)).toString()).toBe(
    `{"kdf":{"m":65536,"name":"argon2id","p":1,"salt":"${kdf.salt}","t":3},"salt":"${salt}"}`,
  )
})

test('a manifest opens in its place only', async () => {
  const sealed = await sealManifest({ manifest: text('x'), manifestKey, place })
  expect(await openManifest({ sealed, manifestKey, place })).toEqual(text('x'))
  const upper = { ...place, bundleId: place.bundleId.toUpperCase() }
  expect(await openManifest({ sealed, manifestKey, place: upper })).toEqual(text('x'))
  const elsewhere = [
    { ...place, revision: 2 },
    { ...place, bundleId: '00112233-4455-6677-8899-aabbccddeefe' },
    { ...place, salts: { salt, kdf } },
    { ...place, salts: { salt: toBase64url(filled(16, 0xa1)), kdf: null } },
  ]
  for (const other of elsewhere)
    await expect(openManifest({ sealed, manifestKey, place: other })).rejects.toMatchObject({
      code: 'manifest.refused',
    })
})

test('another key, and bytes that are no manifest, are refused', async () => {
  const sealed = await sealManifest({ manifest: text('x'), manifestKey, place })
  const other = await deriveShareKeys({ secret: counting(32), salt: filled(16, 1), passwordKey: null })
  await expect(openManifest({ sealed, manifestKey: other.manifestKey, place })).rejects.toMatchObject({
    code: 'manifest.refused',
  })
  for (const length of [0, 1, 11, 12, 27, 28])
    await expect(openManifest({ sealed: filled(length, 0), manifestKey, place })).rejects.toMatchObject({
      code: 'manifest.refused',
    })
})

test.each([
  { bundleId: 'x' },
  { bundleId: `${place.bundleId}0` },
  { revision: 0 },
  { revision: 1.5 },
  { revision: 2 ** 32 },
])('the place %j is refused', (change) => {
  expect(() => manifestContext({ ...place, ...change })).toThrow('share.malformed')
})

test('texts of about one length have one size', async () => {
  const sizes = new Set<number>()
  for (let length = 0; length < 420; length += 60)
    sizes.add((await sealManifest({ manifest: text('€'.repeat(length / 3)), manifestKey, place })).length)
  expect([...sizes]).toEqual([540])
  const large = await sealManifest({ manifest: text('x'.repeat(200_000)), manifestKey, place })
  expect(large.length - 28).toBe(padme(200_088))
})

test('the same manifest is never encrypted alike', async () => {
  const sealed = await Promise.all(
    Array.from({ length: 50 }, () => sealManifest({ manifest: text('x'), manifestKey, place })),
  )
  expect(new Set(sealed.map((bytes) => hex(bytes.subarray(0, 12)))).size).toBe(50)
})

test('a text of more than 256 KiB does not fit into a manifest', async () => {
  const most = text('x'.repeat(256 * 1024))
  await expect(sealManifest({ manifest: most, manifestKey, place })).resolves.toBeDefined()
  await expect(
    sealManifest({ manifest: text('x'.repeat(256 * 1024 + 1)), manifestKey, place }),
  ).rejects.toThrow('manifest.invalid page')
})

test('a manifest above 8 MiB is neither written nor read', async () => {
  const plainBytes = 10_000 * 262_144
  // Each of 10,000 parts was sent 39 times.
  const salts = Array.from({ length: 10_000 }, () => salt.repeat(39)).join(',')
  const { storedBytes: stored } = planObject({ plainBytes, segmentsPerPart: 1 })
  const manifest: Manifest = {
    ...text('x'),
    objects: [{ n: 0, dek: toBase64url(counting(32)), size: plainBytes, stored, k: 1, salts }],
  }
  await expect(sealManifest({ manifest, manifestKey, place })).rejects.toMatchObject({
    code: 'manifest.too_large',
  })
  const sealed = new Uint8Array(8 * 1024 * 1024 + 1)
  await expect(openManifest({ sealed, manifestKey, place })).rejects.toMatchObject({
    code: 'manifest.too_large',
  })
})

test.each([
  ['{"v":2,"whatever":1}', 'manifest.version'],
  ['{"v":0,"objects":[],"items":[],"pad":""}', 'manifest.invalid'],
  ['{"objects":[],"items":[],"pad":""}', 'manifest.invalid'],
  ['null', 'manifest.invalid'],
  ['[]', 'manifest.invalid'],
  ['{', 'manifest.invalid'],
  ['\uFEFF{}', 'manifest.invalid'],
  ['{"v":1,"page":{"type":"text/html","text":""},"objects":[],"items":[],"pad":""}', 'manifest.invalid'],
  ['{"v":1,"page":{"type":"text/plain","text":""},"objects":[],"items":[]}', 'manifest.invalid'],
  [
    '{"v":1,"page":{"type":"text/plain","text":""},"objects":[],"items":[],"pad":"","extra":1}',
    'manifest.invalid',
  ],
  [
    '{"v":1,"page":{"type":"text/plain","text":""},"objects":[],"items":[],"pad":"","__proto__":{}}',
    'manifest.invalid',
  ],
])('a manifest that reads %s is refused', async (json, code) => {
  await expect(openManifest({ sealed: await forge(utf8(json)), manifestKey, place })).rejects.toMatchObject({
    code,
  })
})

test('bytes that are not UTF-8 are refused', async () => {
  const json = '{"v":1,"page":{"type":"text/plain","text":"x"},"objects":[],"items":[],"pad":""}'
  expect(await openManifest({ sealed: await forge(utf8(json)), manifestKey, place })).toEqual(text('x'))
  const broken = unhex(hex(utf8(json)).replace(hex(utf8('"x"')), '22ff22'))
  await expect(openManifest({ sealed: await forge(broken), manifestKey, place })).rejects.toThrow(
    'manifest.invalid json',
  )
})
