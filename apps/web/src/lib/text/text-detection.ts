/** Maximum length of an incomplete character at the end, in bytes. */
const MAX_CUT_BYTES = 3

/**
 * Control characters that text does not contain. Text can contain tabs, line ends, form feeds, backspaces and terminal
 * escapes.
 */
// oxlint-disable-next-line no-control-regex -- finds control characters
const CONTROLS = /[\u0000-\u0007\u000b\u000e-\u001a\u001c-\u001f\u007f]/

/** Whether bytes of unknown type are text. */
export function isTextual(bytes: Uint8Array, isCut: boolean): boolean {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  const text = decodeExactly(bytes, 'utf-8', isCut) ?? decodeExactly(bytes, 'gb18030', isCut)
  return text !== null && !CONTROLS.test(text)
}

/** Decodes bytes; `null` if they are invalid. `isCut` means that the last character can be incomplete. */
export function decodeExactly(bytes: Uint8Array, encoding: string, isCut: boolean): string | null {
  for (let cutBytes = 0; cutBytes <= (isCut ? MAX_CUT_BYTES : 0); cutBytes += 1) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(0, bytes.length - cutBytes))
    } catch {
      // The encoding is wrong, or the last character is incomplete; the next attempt decides.
    }
  }
  return null
}
