/** An id that nobody else has. `crypto.randomUUID` is missing where the page comes over plain http from another machine. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
