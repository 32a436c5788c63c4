import { randomBytes, randomUUID } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Largest multiple of 62 in a byte; higher bytes would favour the first characters. */
const FAIR_BYTES = 248

/** Cryptographically random text of `[A-Za-z0-9]`, every character equally likely. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < FAIR_BYTES && text.length < length) text += ALPHABET[byte % ALPHABET.length]
    }
  }
  return text
}

/** Position of the version digit in the text of a UUID. */
const VERSION_AT = 14

/**
 * A UUID of version 7: the time, then 74 random bits. Ids of the same time are together in an index; each random id would write
 * a different page.
 */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(VERSION_AT + 1)}`
}
