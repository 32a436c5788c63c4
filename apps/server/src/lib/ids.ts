import { randomUUID } from 'node:crypto'
import { customAlphabet } from 'nanoid'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Returns cryptographically random text of `[A-Za-z0-9]` with `length` characters, each equally likely. */
export const randomText: (length: number) => string = customAlphabet(ALPHABET)

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
