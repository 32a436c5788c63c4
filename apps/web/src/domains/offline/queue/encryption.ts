import type { OfflineDatabase, SealedText } from '../database.ts'

const KEY_NAME = 'queue'
const ALGORITHM = { name: 'AES-GCM', length: 256 } as const
const IV_BYTES = 12

/** Returns the key of this browser. No script can extract the key, not even our own code. */
async function keyOf(database: OfflineDatabase): Promise<CryptoKey> {
  const kept = await database.keys.get(KEY_NAME)
  if (kept) return kept.key
  const key = await crypto.subtle.generateKey(ALGORITHM, false, ['encrypt', 'decrypt'])
  // If two tabs start at the same time, both use the key that was stored first.
  await database.keys.add({ name: KEY_NAME, key }).catch(() => undefined)
  const winner = await database.keys.get(KEY_NAME)
  if (!winner) throw new Error('The browser keeps no keys.')
  return winner.key
}

/**
 * Encrypts a text for this browser.
 * @throws without a secure context, or if the browser's storage is not available
 */
export async function encryptText(database: OfflineDatabase, text: string): Promise<SealedText> {
  const key = await keyOf(database)
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const sealed = await crypto.subtle.encrypt({ ...ALGORITHM, iv }, key, new TextEncoder().encode(text))
  return { iv, sealed }
}

/** @returns `null` if the text cannot be decrypted, for example because it was encrypted with another key */
export async function decryptText(
  database: OfflineDatabase,
  { iv, sealed }: SealedText,
): Promise<string | null> {
  try {
    const bytes = await crypto.subtle.decrypt({ ...ALGORITHM, iv }, await keyOf(database), sealed)
    return new TextDecoder().decode(bytes)
  } catch {
    return null
  }
}
