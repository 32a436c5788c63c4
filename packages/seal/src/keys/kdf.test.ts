import { argon2id as nobleArgon2id } from '@noble/hashes/argon2.js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { utf8 } from '../core/bytes.ts'
import { filled, hex } from '../testing/stored.ts'
import { argon2id as inJs } from './argon2-js.ts'
import { argon2id as inWasm } from './argon2-wasm.ts'
import {
  type Argon2id,
  type Argon2Input,
  createDerivePassword,
  createKdf,
  derivePassword,
  type Kdf,
  parseKdf,
} from './kdf.ts'

/** The cheapest parameters that are allowed. */
const CHEAP: Kdf = { name: 'argon2id', m: 19_456, t: 1, p: 1, salt: '0NDQ0NDQ0NDQ0NDQ0NDQ0A' }

/** A password that is not in Unicode form NFKC: `o` with a combining diaeresis, and a ligature. */
const PASSWORD = 'Dro\u0308pleaf \uFB01'

afterEach(() => vi.unstubAllGlobals())

describe('Argon2id', () => {
  test('the vector of RFC 9106, section 5.3', () => {
    const tag = nobleArgon2id(filled(32, 1), filled(16, 2), {
      m: 32,
      t: 3,
      p: 4,
      dkLen: 32,
      key: filled(8, 3),
      personalization: filled(12, 4),
    })
    expect(hex(tag)).toBe('0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659')
  })

  test.each([
    ['WebAssembly', inWasm],
    ['JavaScript', inJs],
  ])('vectors of the reference implementation in %s', async (_, argon2id) => {
    const input = { password: utf8('password'), salt: utf8('somesalt'), memoryKib: 256, passes: 2 }
    expect(hex(await argon2id(input))).toBe(
      '9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe',
    )
  })

  test('both implementations give the same', async () => {
    const inputs: Argon2Input[] = [
      { password: utf8('p'), salt: filled(16, 0), memoryKib: 8, passes: 1 },
      { password: utf8('пароль'), salt: filled(16, 255), memoryKib: 1000, passes: 3 },
      { password: filled(1000, 7), salt: filled(16, 9), memoryKib: 77, passes: 10 },
    ]
    for (const input of inputs) expect(hex(await inWasm(input))).toBe(hex(await inJs(input)))
  })

  test('golden vector of the usual parameters', async () => {
    expect(hex(await derivePassword(PASSWORD, { ...CHEAP, m: 65_536, t: 3 }))).toBe(
      '84c4d463bdbc66e5343af2d99f86ffad227f98ddd1192eb20a5bd6c942ef76ab',
    )
  })

  test('plain JavaScript is used where WebAssembly is refused', async () => {
    const expected = 'b3c0f4f1aadd4059ca7c8c2490131076810cdb65dd8f9f6662f8f78f9bdef824'
    expect(hex(await derivePassword(PASSWORD, CHEAP))).toBe(expected)
    const compile = vi.fn<() => Promise<never>>(async () => {
      throw new Error('Refused by the policy.')
    })
    vi.stubGlobal('WebAssembly', { compile })
    expect(hex(await createDerivePassword()(PASSWORD, CHEAP))).toBe(expected)
    expect(compile).toHaveBeenCalledOnce()
  })
})

/** Returns a replacement for Argon2id that records its input. */
function observed() {
  const inputs: Argon2Input[] = []
  const derive = createDerivePassword(async () => async (input) => {
    inputs.push(input)
    return filled(32, 0)
  })
  return { inputs, derive }
}

test('passwords are hashed in form NFKC', async () => {
  const { inputs, derive } = observed()
  await derive('e\u0301\uFB01', CHEAP)
  expect(inputs).toEqual([
    { password: utf8('\u00E9fi'), salt: filled(16, 0xd0), memoryKib: 19_456, passes: 1 },
  ])
})

test('the implementation is loaded once', async () => {
  const load = vi.fn<() => Promise<Argon2id>>(async () => async () => filled(32, 0))
  const derive = createDerivePassword(load)
  await Promise.all([derive('a', CHEAP), derive('b', CHEAP)])
  expect(load).toHaveBeenCalledOnce()
})

test('after a failed load, the next password loads the implementation again', async () => {
  const load = vi.fn<() => Promise<Argon2id>>(async () => async () => filled(32, 0))
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
  const derive = createDerivePassword(load)
  await expect(derive('a', CHEAP)).rejects.toThrow('Failed to fetch')
  expect(await derive('a', CHEAP)).toEqual(filled(32, 0))
  await derive('b', CHEAP)
  expect(load).toHaveBeenCalledTimes(2)
})

test('an empty password is refused', async () => {
  await expect(observed().derive('', CHEAP)).rejects.toMatchObject({ code: 'password.missing' })
})

test('new parameters are allowed ones, with another salt each time', () => {
  const [one, other] = [createKdf(), createKdf()]
  expect(parseKdf(one)).toEqual(one)
  expect(one).toMatchObject({ m: 65_536, t: 3, p: 1 })
  expect(one.salt).not.toBe(other.salt)
})

test.each([
  [{ m: 19_455 }],
  [{ m: 262_145 }],
  [{ m: 65_536.5 }],
  [{ t: 0 }],
  [{ t: 11 }],
  [{ p: 2 }],
  [{ name: 'argon2i' }],
  [{ name: 'pbkdf2' }],
  [{ salt: 'short' }],
  [{ pepper: 1 }],
])('parameters with %j are refused before anything is computed', async (change) => {
  const { inputs, derive } = observed()
  const kdf = { ...CHEAP, ...change } as Kdf
  await expect(derive('password', kdf)).rejects.toMatchObject({ code: 'kdf.refused' })
  expect(inputs).toEqual([])
})

test.each([[{ m: 262_144, t: 10 }], [{ m: 19_456, t: 1 }]])('parameters with %j are allowed', (change) => {
  expect(parseKdf({ ...CHEAP, ...change })).toMatchObject(change)
})
