import type { Bytes } from '@dropleaf/seal'

/**
 * Returns the bytes of an encrypted manifest, which the API sends in base64. @throws {DOMException} if the text is
 * not base64
 */
export const manifestBytes = (base64: string): Bytes =>
  Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)
