import { type Bytes } from '../core/bytes.ts'

interface Derivation {
  readonly ikm: Bytes
  readonly salt: Bytes
  readonly info: Bytes
}

const importMaterial = (ikm: Bytes, usage: 'deriveBits' | 'deriveKey') =>
  crypto.subtle.importKey('raw', ikm, 'HKDF', false, [usage])

/** Derives 32 bytes with HKDF-SHA256. */
export async function hkdfBytes({ ikm, salt, info }: Derivation): Promise<Bytes> {
  const material = await importMaterial(ikm, 'deriveBits')
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, material, 256),
  )
}

/** Derives a key of AES-256-GCM with HKDF-SHA256. The key cannot be exported. */
export async function hkdfKey(
  { ikm, salt, info }: Derivation,
  usages: readonly ('encrypt' | 'decrypt')[],
): Promise<CryptoKey> {
  const material = await importMaterial(ikm, 'deriveKey')
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    [...usages],
  )
}
