import { afterEach, expect, test, vi } from 'vitest'
import { concat, utf8 } from '../core/bytes.ts'
import { counting, filled, hex, plainOf, sha256 } from '../testing/stored.ts'
import { SEGMENT_BYTES } from './geometry.ts'
import { decryptSegment, derivePartKey, encryptPart, readPartHeader } from './part-cipher.ts'
import { formatSalts, parseSalts } from './salts.ts'
import { sealPart } from './seal-part.ts'

const dek = counting(32)
const salt = filled(16, 0xa0)
const HEADER = `444c5331${'0'.repeat(24)}${'a0'.repeat(16)}`

afterEach(() => vi.restoreAllMocks())

test.each([
  ['Dropleaf', '47cab334b156bbccf3dd6d80f9a9f2867fbd5589999067b8'],
  ['', '925dfe6b060b58a9bb1706bb2ef91d91'],
])('golden vector of %j', async (text, sealed) => {
  const bytes = await encryptPart({ dek, part: 0, salt, plain: utf8(text), isLast: true })
  expect(hex(bytes)).toBe(HEADER + sealed)
})

test('golden vector of two parts', async () => {
  const plain = Uint8Array.from({ length: 700_001 }, (_, index) => index * 31 + 7)
  const cut = 2 * SEGMENT_BYTES
  const object = concat(
    await encryptPart({ dek, part: 0, salt, plain: plain.subarray(0, cut), isLast: false }),
    await encryptPart({ dek, part: 1, salt: filled(16, 0xa1), plain: plain.subarray(cut), isLast: true }),
  )
  expect(object.length).toBe(700_113)
  expect(await sha256(object)).toBe('53616c49756e8700d17e96bcf07872b3bd4b541432b50c3e614e3c219db125d7')
})

test('a segment opens only in its position', async () => {
  const bytes = await encryptPart({ dek, part: 3, salt, plain: utf8('x'), isLast: true })
  const header = bytes.slice(0, 32)
  const key = await derivePartKey({ dek, part: 3, salt: readPartHeader(header, 3) }, 'decrypt')
  const place = { key, header, index: 0, isLast: true, sealed: bytes.slice(32) }
  expect(await decryptSegment(place)).toEqual(utf8('x'))
  const elsewhere = [
    { ...place, index: 1 },
    { ...place, isLast: false },
    { ...place, sealed: bytes.slice(33) },
    { ...place, sealed: new Uint8Array() },
    { ...place, header: concat(header.subarray(0, 8), filled(8, 1), salt) },
    { ...place, key: await derivePartKey({ dek, part: 2, salt }, 'decrypt') },
  ]
  for (const wrong of elsewhere)
    await expect(decryptSegment(wrong)).rejects.toMatchObject({ code: 'object.segment' })
})

test('a header of another part, format or length is refused', async () => {
  const header = (await encryptPart({ dek, part: 258, salt, plain: utf8('x'), isLast: true })).slice(0, 32)
  expect(hex(header)).toBe(`444c533100000102${'00'.repeat(8)}${'a0'.repeat(16)}`)
  expect(readPartHeader(header, 258)).toEqual(salt)
  const changed = [0, 3, 4, 7, 8, 11, 12, 15].map((at) =>
    header.map((byte, index) => byte ^ (index === at ? 1 : 0)),
  )
  for (const wrong of [...changed, header.slice(1), new Uint8Array()])
    expect(() => readPartHeader(wrong, 258)).toThrow(expect.objectContaining({ code: 'object.header' }))
  expect(() => readPartHeader(header, 257)).toThrow('object.header')
})

test('no attempt uses a key of another one, and no nonce is used twice with a key', async () => {
  const derive = vi.spyOn(crypto.subtle, 'deriveKey')
  const encrypt = vi.spyOn(crypto.subtle, 'encrypt')
  const plain = plainOf(2 * SEGMENT_BYTES + 1)
  for (let attempt = 0; attempt < 20; attempt += 1)
    for (const part of [0, 1]) await sealPart({ dek, part, plain, isLast: part === 1 })
  const keys = derive.mock.calls.map(([algorithm]) => {
    const { salt, info } = algorithm as HkdfParams & Record<'salt' | 'info', Uint8Array>
    return `${hex(salt)} ${hex(info)}`
  })
  expect(new Set(keys).size).toBe(40)
  const nonces = new Map<CryptoKey, string[]>()
  for (const [algorithm, key] of encrypt.mock.calls) {
    const { iv } = algorithm as AesGcmParams & { iv: Uint8Array }
    nonces.set(key, [...(nonces.get(key) ?? []), hex(iv)])
  }
  expect(nonces.size).toBe(40)
  for (const some of nonces.values()) expect(new Set(some).size).toBe(3)
})

test('lists of salts', () => {
  const [one, other] = ['oKCgoKCgoKCgoKCgoKCgoA', 'oaGhoaGhoaGhoaGhoaGhoQ']
  const text = formatSalts([[one], [other, one]])
  expect(text).toBe(`${one},${other}${one}`)
  expect(parseSalts(text)).toEqual([new Set([one]), new Set([other, one])])
  const malformed = [
    '',
    ',',
    `${one},`,
    `${one},,${one}`,
    one.slice(1),
    `${one} `,
    one.replace(/A$/, 'B'),
    one.repeat(257),
  ]
  for (const wrong of malformed) expect(parseSalts(wrong)).toBeNull()
})
