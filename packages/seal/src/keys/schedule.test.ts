import { hkdfSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { counting, filled, hex, unhex } from '../testing/stored.ts'
import { deriveShareKeys } from './schedule.ts'

const secret = counting(32)
const salt = filled(16, 0xa0)

test('golden vectors without and with a password', async () => {
  const plain = await deriveShareKeys({ secret, salt, passwordKey: null })
  expect(hex(plain.proof)).toBe('24200b578cc8f352821c2e7f977b1d9286c6ed5eea8241b49b4afea9d6feaa25')
  expect(hex(plain.verifier)).toBe('7d78ebd7ba85bfad79b371dc27d4ae79ae804e387261cde8a6ff8b54b9338a9b')
  const guarded = await deriveShareKeys({ secret, salt, passwordKey: filled(32, 0xb0) })
  expect(hex(guarded.proof)).toBe('6b5280dce5aeadca14749def2a231b7a1779f0cac69666f9940e82b23ddf8d98')
  expect(hex(guarded.verifier)).toBe('93bd52cf55d7116b8bb2783c7df22f7093532bbce47afe0814db8ac0a7deff57')
})

test.each([
  [null, '20443a59b06961cca97f589f74725bdb72e03dd81b837566d01d24ff7427f8aa'],
  [filled(32, 0xb0), 'f433e292b66c4a4e226becf25484cea33c71cfc7c15ba1c584b5e797976d962f'],
])('the key of manifests is that of the vector, and cannot be exported', async (passwordKey, expected) => {
  const { manifestKey } = await deriveShareKeys({ secret, salt, passwordKey })
  const known = await crypto.subtle.importKey('raw', unhex(expected), 'AES-GCM', false, ['decrypt'])
  const iv = filled(12, 1)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, manifestKey, counting(100))
  const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, known, sealed)
  expect(new Uint8Array(opened)).toEqual(counting(100))
  await expect(crypto.subtle.exportKey('raw', manifestKey)).rejects.toThrow()
})

test('every input changes every output', async () => {
  const inputs = [
    { secret, salt, passwordKey: null },
    { secret: counting(33).slice(1), salt, passwordKey: null },
    { secret, salt: filled(16, 0xa1), passwordKey: null },
    { secret, salt, passwordKey: filled(32, 0) },
    { secret, salt, passwordKey: filled(32, 1) },
  ]
  const keys = await Promise.all(inputs.map(deriveShareKeys))
  expect(new Set(keys.flatMap(({ proof, verifier }) => [hex(proof), hex(verifier)])).size).toBe(10)
})

test('another implementation of HKDF gives the same', async () => {
  const { proof } = await deriveShareKeys({ secret, salt, passwordKey: null })
  expect(hex(new Uint8Array(hkdfSync('sha256', secret, salt, 'dropleaf/seal/1 open', 32)))).toBe(hex(proof))
})
