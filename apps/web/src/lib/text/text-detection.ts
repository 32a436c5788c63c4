/** So many bytes at the end may be the beginning of a character. */
const MAX_CUT_BYTES = 3

/** Beside tabs and ends of lines, texts hold form feeds, backspaces and the escapes of terminals. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0007\u000b\u000e-\u001a\u001c-\u001f\u007f]/

/** Whether bytes of which nothing is known are a text: nothing in them is meant for machines alone. */
export function isTextual(bytes: Uint8Array, isCut: boolean): boolean {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  const text = decodeExactly(bytes, 'utf-8', isCut) ?? decodeExactly(bytes, 'gb18030', isCut)
  return text !== null && !CONTROLS.test(text)
}

/** Decodes bytes in an encoding, or `null` if they are invalid. `isCut`: a character may be cut at the end. */
export function decodeExactly(bytes: Uint8Array, encoding: string, isCut: boolean): string | null {
  for (let cutBytes = 0; cutBytes <= (isCut ? MAX_CUT_BYTES : 0); cutBytes += 1) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(0, bytes.length - cutBytes))
    } catch {
      // Not this encoding, or cut within a character: the next turn tells.
    }
  }
  return null
}
