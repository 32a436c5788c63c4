import { createBrowserTable } from '../../../lib/browser/indexed-db-table.ts'

/** The key of one user of this browser. Scripts can use the key but cannot read it. */
interface BrowserKey {
  readonly owner: string
  readonly key: CryptoKey
}

/** Encrypted bytes. Only this browser can decrypt them, and only while it stores the key of their owner. */
export interface Box {
  readonly iv: Uint8Array<ArrayBuffer>
  readonly bytes: ArrayBuffer
}

const NONCE_BYTES = 12

const table = createBrowserTable<BrowserKey>({
  database: 'dropleaf-sealed-browser',
  table: 'keys',
  keyPath: 'owner',
})

const create = () =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])

async function findOrCreate(owner: string): Promise<CryptoKey> {
  const found = await table.get(owner)
  if (found) return found.key
  const key = await create()
  await table.put({ owner, key })
  return key
}

/**
 * Uses a lock, because two tabs could otherwise create two keys at the same time. The second key would replace the
 * first.
 */
const keyOf = (owner: string): Promise<CryptoKey> =>
  'locks' in navigator
    ? navigator.locks.request('dropleaf-sealed-browser', () => findOrCreate(owner))
    : findOrCreate(owner)

const encoder = new TextEncoder()

/**
 * Returns the parameters of AES-GCM. They contain the name of the record, so that a box cannot be decrypted as part of
 * another record.
 */
const parametersOf = (iv: Uint8Array<ArrayBuffer>, owner: string, name: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: encoder.encode(JSON.stringify([owner, name])),
})

/** Encrypts a value for storage in this browser. @param name identifies the record that contains the box */
export async function lockBox(
  value: unknown,
  { owner, name }: { owner: string; name: string },
): Promise<Box> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const plain = encoder.encode(JSON.stringify(value))
  const key = await keyOf(owner)
  return { iv, bytes: await crypto.subtle.encrypt(parametersOf(iv, owner, name), key, plain) }
}

/**
 * Returns the value of a box; `null` if the box cannot be decrypted, for example because its key was removed. The
 * caller must validate the value.
 */
export async function unlockBox(
  { iv, bytes }: Box,
  { owner, name }: { owner: string; name: string },
): Promise<unknown> {
  try {
    const found = await table.get(owner)
    if (!found) return null
    const plain = await crypto.subtle.decrypt(parametersOf(iv, owner, name), found.key, bytes)
    return JSON.parse(new TextDecoder().decode(plain))
  } catch {
    return null
  }
}

/** Removes the key of a user. Afterwards nobody can open that user's boxes. */
export const forgetBrowserKey = (owner: string): Promise<void> => table.remove(owner)
