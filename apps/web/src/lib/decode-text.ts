const MAX_CUT_BYTES = 3

/**
 * Reads bytes as text: by their byte order mark, as UTF-8 where they are that, otherwise in the usual legacy encodings.
 * `isCut` says that the end may fall into the middle of a character.
 */
export function decodeText(bytes: Uint8Array, isCut: boolean): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  for (const encoding of ['utf-8', 'gb18030']) {
    const text = tryDecode(bytes, encoding, isCut)
    if (text !== null) return text
  }
  return new TextDecoder('windows-1252').decode(bytes)
}

/** Beside tabs and ends of lines, texts hold form feeds, backspaces and the escapes of terminals. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0007\u000b\u000e-\u001a\u001c-\u001f\u007f]/

/** Whether bytes of which nothing is known are a text: nothing in them is meant for machines alone. */
export function isTextual(bytes: Uint8Array, isCut: boolean): boolean {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  const text = tryDecode(bytes, 'utf-8', isCut) ?? tryDecode(bytes, 'gb18030', isCut)
  return text !== null && !CONTROLS.test(text)
}

function tryDecode(bytes: Uint8Array, encoding: string, isCut: boolean): string | null {
  for (let cutBytes = 0; cutBytes <= (isCut ? MAX_CUT_BYTES : 0); cutBytes += 1) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(0, bytes.length - cutBytes))
    } catch {
      // Not this encoding, or cut within a character: the next turn tells.
    }
  }
  return null
}
