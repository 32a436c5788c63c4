import type { Bytes } from '@dropleaf/seal'

/** The bytes of an encrypted manifest, which the API transports in base64. @throws {DOMException} for other text */
export const manifestBytes = (base64: string): Bytes =>
  Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)
