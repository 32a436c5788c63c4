const utf8 = new TextDecoder('utf-8', { fatal: true })
const chinese = new TextDecoder('gb18030', { fatal: true })

function decodeWith(decoder: TextDecoder, bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** Decodes bytes in a named charset. Returns `null` if the charset is unknown, or the bytes are invalid in it. */
function decodeAs(charset: string, bytes: Uint8Array): string | null {
  try {
    return decodeWith(new TextDecoder(charset, { fatal: true }), bytes)
  } catch {
    return null
  }
}

/** Decodes bytes in an unknown charset as UTF-8, else as GB18030 (Chinese systems), else as ISO-8859-1. */
const decodeUnnamed = (bytes: Buffer): string =>
  decodeWith(utf8, bytes) ?? decodeWith(chinese, bytes) ?? bytes.toString('latin1')

const percentBytes = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/%([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(parseInt(code, 16))),
    'latin1',
  )

/** Decodes a URL segment as UTF-8, else as GB18030, which old servers use, else as ISO-8859-1. */
export const decodeSegment = (segment: string): string =>
  /%[0-9a-f]{2}/i.test(segment) ? decodeUnnamed(percentBytes(segment)) : segment

/** Matches an RFC 2047 encoded word. HTTP does not allow encoded words, but .NET and mail programs send them. */
const WORD = String.raw`=\?([\w-]+)(?:\*[\w-]+)?\?([bq])\?([^?]*)\?=`
const WORDS = new RegExp(String.raw`${WORD}(?:\s*${WORD})*`, 'gi')

function wordBytes(kind: string, text: string): Buffer {
  if (kind.toLowerCase() === 'b') return Buffer.from(text, 'base64')
  return percentBytes(
    text
      .replaceAll('_', ' ')
      .replaceAll(/%/g, '%25')
      .replaceAll(/=([0-9a-f]{2})/gi, '%$1'),
  )
}

/**
 * Decodes encoded words. Joins the bytes of adjacent words first, because a character can be split across two words.
 */
function decodeWords(text: string): string {
  return text.replaceAll(WORDS, (all) => {
    const words = [...all.matchAll(new RegExp(WORD, 'gi'))]
    const bytes = Buffer.concat(words.map(([, , kind = '', word = '']) => wordBytes(kind, word)))
    return decodeAs(words[0]?.[1] ?? '', bytes) ?? all
  })
}

/** Decodes the RFC 8187 form `charset'language'percent-encoded`. */
function decodeExtended(value: string): string | null {
  const [, charset, text] = /^([\w-]+)'[^']*'(.*)$/.exec(value) ?? []
  return charset === undefined || text === undefined ? null : decodeAs(charset, percentBytes(text))
}

interface Reading {
  /**
   * Whether `%E4…` in a plain name is percent-encoding. Browsers decode such text in responses, while names in forms
   * can contain it literally.
   */
  readonly isPercentEncoded: boolean
}

function decodePlain(value: string, { isPercentEncoded }: Reading): string {
  const text = decodeWords(decodeUnnamed(Buffer.from(value, 'latin1')))
  if (!isPercentEncoded || !/%[0-9a-f]{2}/i.test(value)) return text
  return decodeWith(utf8, percentBytes(value)) ?? text
}

const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gs

/**
 * Returns the file name in a `Content-Disposition`, read as browsers do, or `null` if there is none. `filename*` takes
 * precedence.
 * Source: RFC 6266, section 4.3, and appendix C.
 * @param header one character per byte, as Node.js presents headers
 */
export function nameInDisposition(header: string, reading: Reading): string | null {
  const found = new Map<string, string>()
  for (const [, name = '', quoted, token = ''] of `;${header}`.matchAll(PARAMETER)) {
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, quoted?.replaceAll(/\\(["\\])/g, '$1') ?? token.trim())
  }
  const extended = decodeExtended(found.get('filename*') ?? '')
  if (extended) return extended
  const plain = found.get('filename')
  return plain === undefined ? null : decodePlain(plain, reading)
}
