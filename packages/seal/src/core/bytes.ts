import { markSealed, type Sealed } from './sealed.ts'

/** Bytes that WebCrypto accepts. They are not in shared memory, which another thread could change during a call. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
export const utf8 = (text: string): Bytes => encoder.encode(text)

export function concat(...pieces: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

export function u32be(value: number): Bytes {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

export const readU32be = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at)

/** Compares bytes in variable time. Use it only for values that are not secret. */
export const areEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

export const randomBytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))

/** Number of bytes per call, because engines limit the number of arguments of a call. */
const CHUNK = 0x80_00

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(binary)
}

/** Encodes bytes as base64url without padding. */
export const toBase64url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** Decodes the result of {@link toBase64url}. Returns `null` for any other text. */
export function fromBase64url(text: string): Bytes | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  // Unused bits of the last character must be 0, so that no two texts decode to the same bytes.
  return toBase64url(bytes) === text ? bytes : null
}

/** Sealed bytes as base64url, to be sent in JSON. */
export const sealedText = (bytes: Sealed<Bytes>): Sealed<string> => markSealed(toBase64url(bytes))

/**
 * Runs `call` for each item, a few calls at a time, and returns the results in the order of the items. WebCrypto works
 * on other threads, so concurrent calls are faster.
 */
export async function mapSome<Item, Result>(
  items: readonly Item[],
  call: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += 4)
    results.push(...(await Promise.all(items.slice(at, at + 4).map(call))))
  return results
}
