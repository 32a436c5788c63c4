import { expect, test } from 'vitest'
import { toBase64url } from '../core/bytes.ts'
import { filled, sha256 } from '../testing/stored.ts'
import { createDerivePassword } from './kdf.ts'
import { parseLinkKey } from './link-key.ts'
import { createShare, parseShareSalts, unlockShare } from './share.ts'

/** A fast replacement for Argon2id, with a different result for each password. */
const derivePassword = createDerivePassword(
  async () => async (input) => new Uint8Array(await crypto.subtle.digest('SHA-256', input.password)),
)

test.each([null, 'open sesame'])(
  'with the password %j, link and facts give the same keys',
  async (password) => {
    const share = await createShare({ password, derivePassword })
    const keys = await unlockShare({
      secret: parseLinkKey(share.linkKey),
      salts: parseShareSalts(JSON.parse(JSON.stringify(share.facts))),
      password,
      derivePassword,
    })
    expect(keys.proof).toEqual(share.keys.proof)
    expect(share.facts.verifier).toBe(toBase64url(share.keys.verifier))
    expect(await sha256(keys.proof)).toBe(Buffer.from(share.facts.verifier, 'base64url').toString('hex'))
  },
)

test('the facts contain neither the secret nor the proof', async () => {
  const { facts, linkKey, keys } = await createShare({ password: 'open sesame', derivePassword })
  const sent = JSON.stringify(facts)
  expect(sent).not.toContain(linkKey)
  expect(sent).not.toContain(toBase64url(keys.proof))
  expect(Object.keys(facts).sort()).toEqual(['kdf', 'salt', 'verifier'])
})

test('another password gives another proof, and none is an error', async () => {
  const { secret, facts, keys } = await createShare({ password: 'right', derivePassword })
  const wrong = await unlockShare({ secret, salts: facts, password: 'wrong', derivePassword })
  expect(wrong.proof).not.toEqual(keys.proof)
  // If a server hides that the share has a password, the proof that it gets is useless.
  const none = await unlockShare({ secret, salts: { ...facts, kdf: null }, password: null, derivePassword })
  expect(none.proof).not.toEqual(keys.proof)
  await expect(unlockShare({ secret, salts: facts, password: null, derivePassword })).rejects.toMatchObject({
    code: 'password.missing',
  })
})

test.each([
  [null, 'share.malformed'],
  [{ salt: toBase64url(filled(15, 1)), kdf: null }, 'share.malformed'],
  [{ salt: toBase64url(filled(16, 1)) }, 'share.malformed'],
  [{ salt: toBase64url(filled(16, 1)), kdf: {} }, 'kdf.refused'],
])('the salts %j are refused', (value, code) => {
  expect(() => parseShareSalts(value)).toThrow(expect.objectContaining({ code }))
})
