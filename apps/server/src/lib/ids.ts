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

export const newId = (): string => randomUUID()
