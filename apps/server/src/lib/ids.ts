import { randomBytes, randomUUID } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Largest multiple of 62 in a byte; bytes from there on would favour the first letters. */
const FAIR_BYTES = 248

/** Random text of `[A-Za-z0-9]`, every character equally likely, from the system's secure source. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < FAIR_BYTES && text.length < length) text += ALPHABET[byte % ALPHABET.length]
    }
  }
  return text
}

/** Where the digit of the version stands in the text of a UUID. */
const VERSION_AT = 14

/**
 * A UUID of version 7: the instant, then 74 random bits. What is made together has its entries together in an index, where a
 * random id has each in a page of its own, which is then written for it alone.
 */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(VERSION_AT + 1)}`
}
