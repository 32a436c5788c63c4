// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { formatLinkKey } from '@dropleaf/seal'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endSession, startSession } from '../../session/session.ts'
import { forgetKeysAtLogout } from './forget-at-logout.ts'
import { areKeysMarked } from './key-mark.ts'
import { findKey, forgetKey, keepKey, listKeys } from './key-store.ts'

const secret = Uint8Array.from({ length: 32 }, (_, at) => at + 65)
const other = {
  kind: 'apikey',
  key: 'k',
  permissions: { text: true, file: true, mount: false, mount_read_only: false },
  info: { id: '1', name: 'other', basic_path: '/' },
} as const

const open = (database: string) =>
  new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(database)
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(new Error(database)))
  })

async function allIn(database: string): Promise<unknown[]> {
  const opened = await open(database)
  const request = opened.transaction('keys', 'readonly').objectStore('keys').getAll()
  const found = await new Promise<unknown[]>((resolve) => {
    request.addEventListener('success', () => resolve(request.result))
  })
  opened.close()
  return found
}

let stop: () => void

beforeEach(() => {
  startSession({ kind: 'admin', token: 'one' })
  stop = forgetKeysAtLogout()
})
afterEach(async () => {
  startSession({ kind: 'admin', token: 'one' })
  for (const { bundleId } of await listKeys()) await forgetKey(bundleId)
  stop()
})

test('a kept key is found again, by its owner alone', async () => {
  await keepKey('one', secret, 'Film')
  expect(await findKey('one')).toEqual(secret)
  expect(await listKeys()).toMatchObject([{ bundleId: 'one', name: 'Film', linkKey: formatLinkKey(secret) }])
  startSession(other)
  expect(await findKey('one')).toBeNull()
  expect(await listKeys()).toEqual([])
})

test('storage has neither the key nor the name, and its own key cannot be read', async () => {
  await keepKey('one', secret, 'Confidential film')
  const stored = await allIn('dropleaf-sealed-keys')
  expect(stored).toHaveLength(1)
  const text = Buffer.concat(
    stored.flatMap((record) => {
      const { box, ...rest } = record as { box: { bytes: ArrayBuffer; iv: Uint8Array } }
      return [Buffer.from(JSON.stringify(rest)), Buffer.from(box.bytes), Buffer.from(box.iv)]
    }),
  )
  for (const hidden of [formatLinkKey(secret), Buffer.from(secret), 'Confidential'])
    expect(text.indexOf(hidden)).toBe(-1)
  const [browserKey] = (await allIn('dropleaf-sealed-browser')) as { key: CryptoKey }[]
  expect(browserKey?.key.extractable).toBe(false)
})

test('the record of one bundle does not open as another', async () => {
  await keepKey('one', secret, 'Film')
  const [record] = (await allIn('dropleaf-sealed-keys')) as Record<string, unknown>[]
  const opened = await open('dropleaf-sealed-keys')
  const moved = { ...record, id: 'admin two', bundleId: 'two' }
  opened.transaction('keys', 'readwrite').objectStore('keys').put(moved)
  opened.close()
  expect(await findKey('two')).toBeNull()
  expect(await findKey('one')).toEqual(secret)
})

test('a logout removes the keys of this user, not those of others; an expired session removes none', async () => {
  await keepKey('one', secret, 'Film')
  startSession(other)
  await keepKey('theirs', secret, 'Their film')
  startSession({ kind: 'admin', token: 'one' })
  endSession('admin-expired')
  startSession({ kind: 'admin', token: 'two' })
  expect(await findKey('one')).toEqual(secret)
  endSession('logout')
  await vi.waitFor(async () => expect(await allIn('dropleaf-sealed-keys')).toHaveLength(1))
  startSession({ kind: 'admin', token: 'three' })
  expect(await listKeys()).toEqual([])
  startSession(other)
  expect(await findKey('theirs')).toEqual(secret)
  await forgetKey('theirs')
  expect(await findKey('theirs')).toBeNull()
})

test('a flag tells at once whether there may be keys', async () => {
  const keeping = keepKey('one', secret, 'Film')
  expect(areKeysMarked()).toBe(true)
  await keeping
  endSession('logout')
  await vi.waitFor(() => expect(areKeysMarked()).toBe(false))
})

test('the next start removes the keys that a closed tab has left', async () => {
  await keepKey('one', secret, 'Film')
  stop()
  localStorage.setItem('dropleaf-sealed-leaving', 'admin')
  stop = forgetKeysAtLogout()
  await vi.waitFor(async () => expect(await allIn('dropleaf-sealed-keys')).toEqual([]))
  await vi.waitFor(() => expect(localStorage.getItem('dropleaf-sealed-leaving')).toBeNull())
})
