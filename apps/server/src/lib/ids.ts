import { randomBytes, randomUUID } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Largest multiple of 62 that fits in a byte. Higher values would make the first characters more likely. */
const FAIR_BYTES = 248

/** Returns cryptographically random text of `[A-Za-z0-9]`, with every character equally likely. */
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
 * Returns a UUID of version 7, which consists of the time and 74 random bits. Ids of the same time are adjacent in an
 * index, while each fully random id would write a different page.
 */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(VERSION_AT + 1)}`
}
