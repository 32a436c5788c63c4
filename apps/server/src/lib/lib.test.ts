import { describe, expect, test } from 'vitest'
import { SharedReads } from './concurrency.ts'
import { newId, randomText } from './ids.ts'
import { createPasswords } from './passwords.ts'
import { createSecrets, constantTimeEqual } from './secrets.ts'
import { formatBytes } from './sizes.ts'
import { ExpiringCache } from './expiring-cache.ts'

describe('ids', () => {
  test('random texts have the length and alphabet, and use every character about evenly', () => {
    const counts = new Map<string, number>()
    for (let n = 0; n < 2000; n += 1) {
      const text = randomText(31)
      expect(text).toMatch(/^[A-Za-z0-9]{31}$/)
      for (const c of text) counts.set(c, (counts.get(c) ?? 0) + 1)
    }
    expect(counts.size).toBe(62)
    for (const count of counts.values()) expect(count).toBeGreaterThan(700)
    for (const count of counts.values()) expect(count).toBeLessThan(1300)
    expect(randomText(0)).toBe('')
  })

  test('ids do not repeat', () => {
    expect(new Set(Array.from({ length: 1000 }, newId)).size).toBe(1000)
  })

  test('an id is a UUID of version 7 that starts with its time', () => {
    const beforeMs = Date.now()
    const id = newId()
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    const madeAtMs = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
    expect(madeAtMs).toBeGreaterThanOrEqual(beforeMs)
    expect(madeAtMs).toBeLessThanOrEqual(Date.now())
  })
})

describe('secrets', () => {
  const secrets = createSecrets('one secret of enough length')
  const others = createSecrets('another secret of some length')

  test('an empty text can be encrypted', () => {
    expect(secrets.open(secrets.seal('', 'c'), 'c')).toBe('')
  })

  test('any encrypted text can be decrypted, and each encryption has a different result', () => {
    for (const text of ['long enough', '密码 😀', 'x'.repeat(10_000), 'with.dots.in']) {
      const sealed = secrets.seal(text, 'context')
      expect(secrets.open(sealed, 'context')).toBe(text)
      expect(secrets.seal(text, 'context')).not.toBe(sealed)
      expect(sealed).not.toContain(text)
    }
  })

  test('another context, another secret, and any changed character are refused', () => {
    const sealed = secrets.seal('value', 'paste:1')
    expect(() => secrets.open(sealed, 'paste:2')).toThrow(/authenticate/)
    expect(() => others.open(sealed, 'paste:1')).toThrow(/authenticate/)
    for (let n = 3; n < sealed.length - 1; n += 1) {
      const changed = `${sealed.slice(0, n)}${sealed[n] === 'A' ? 'B' : 'A'}${sealed.slice(n + 1)}`
      expect(() => secrets.open(changed, 'paste:1')).toThrow(/authenticate/)
    }
    for (const broken of ['', 'v1', 'v1.', 'v2.abc', sealed.slice(0, 20)])
      expect(() => secrets.open(broken, 'paste:1')).toThrow(Error)
  })

  test('fingerprints and signatures are deterministic, keyed, and different from each other', () => {
    expect(secrets.fingerprint('k')).toBe(createSecrets('one secret of enough length').fingerprint('k'))
    expect(secrets.fingerprint('k')).not.toBe(others.fingerprint('k'))
    expect(secrets.verify('text', secrets.sign('text'))).toBe(true)
    for (const wrong of ['', 'x', others.sign('text'), secrets.sign('text '), secrets.fingerprint('text')])
      expect(secrets.verify('text', wrong)).toBe(false)
    expect([constantTimeEqual('a', 'a'), constantTimeEqual('a', 'b'), constantTimeEqual('', 'a')]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('passwords', () => {
  const shown = (password: string) => ({ password, network: '192.0.2.1' })

  test('are salted argon2id hashes that match only one password', async () => {
    const passwords = createPasswords()
    const [one, two] = await Promise.all([passwords.hash('密码 one'), passwords.hash('密码 one')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(two)
    expect(await passwords.verify(one, shown('密码 one'))).toBe(true)
    expect(await passwords.verify(one, shown('密码 One'))).toBe(false)
    expect(await passwords.verify('not a hash', shown('x'))).toBe(false)
    expect(await passwords.verify('', shown(''))).toBe(false)
  })
})

test.each([
  [0, '0 B'],
  [-5, '0 B'],
  [1, '1 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [100_000, '97.66 KB'],
  [1024 ** 2, '1 MB'],
  [5 * 1024 ** 3, '5 GB'],
  [1.5 * 1024 ** 4, '1.5 TB'],
])('%d bytes read as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test('a cache evicts expired entries and, if full, the oldest; its statistics are consistent', () => {
  const cache = new ExpiringCache<number>({ name: 'c', capacity: 2 })
  cache.set('a', 1, 100)
  cache.set('b', 2, 200)
  expect([cache.get('a', 99), cache.get('a', 100), cache.get('none', 0)]).toEqual([1, undefined, undefined])
  cache.set('c', 3, 200)
  cache.set('d', 4, 200)
  expect([cache.get('b', 0), cache.get('d', 0)]).toEqual([undefined, 4])
  expect(cache.clear((key) => key === 'c')).toBe(1)
  expect(cache.figures()).toEqual({
    hits: 2,
    misses: 3,
    expired: 1,
    invalidations: 1,
    pruned: 1,
    cacheSize: 1,
    hitRate: 0.4,
    name: 'c',
  })
})

describe('shared reads', () => {
  test('a call during a read shares the next read with others, so that its result is never older than the call', async () => {
    const reads = new SharedReads<number>()
    let begun = 0
    const ends: Array<() => void> = []
    const look = () =>
      reads.read('a', () => {
        begun += 1
        const mine = begun
        return new Promise<number>((resolve) => ends.push(() => resolve(mine)))
      })
    const first = look()
    const later = [look(), look(), look()]
    expect(begun).toBe(1)
    ends[0]?.()
    expect(await first).toBe(1)
    await expect.poll(() => begun).toBe(2)
    const last = look()
    ends[1]?.()
    expect(await Promise.all(later)).toEqual([2, 2, 2])
    await expect.poll(() => begun).toBe(3)
    ends[2]?.()
    expect(await last).toBe(3)
    const alone = look()
    ends[3]?.()
    expect(await alone).toBe(4)
  })

  test('a failure affects all callers of the shared read, but not the next read', async () => {
    const reads = new SharedReads<string>()
    const fail = () => reads.read('a', () => Promise.reject(new Error('broken')))
    const answers = await Promise.allSettled([fail(), fail(), fail()])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await reads.read('a', () => Promise.resolve('fine'))).toBe('fine')
  })
})
