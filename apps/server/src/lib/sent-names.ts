const utf8 = new TextDecoder('utf-8', { fatal: true })
const chinese = new TextDecoder('gb18030', { fatal: true })

function decodeWith(decoder: TextDecoder, bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** Decodes in a named charset; `null` for an unknown one, and for bytes that are invalid in it. */
function decodeAs(charset: string, bytes: Uint8Array): string | null {
  try {
    return decodeWith(new TextDecoder(charset, { fatal: true }), bytes)
  } catch {
    return null
  }
}

/** Bytes of an unknown charset: UTF-8, or else what programs of a Chinese system send, or else ISO-8859-1. */
const decodeUnnamed = (bytes: Buffer): string =>
  decodeWith(utf8, bytes) ?? decodeWith(chinese, bytes) ?? bytes.toString('latin1')

const percentBytes = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/%([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(parseInt(code, 16))),
    'latin1',
  )

/** A segment of an address, whose bytes are UTF-8 as a rule, and GBK on old servers. */
export const decodeSegment = (segment: string): string =>
  /%[0-9a-f]{2}/i.test(segment) ? decodeUnnamed(percentBytes(segment)) : segment

/** Of RFC 2047, which has no place in HTTP; .NET and mail programs send them all the same. */
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

/** A character may begin in one word and end in the next. */
function decodeWords(text: string): string {
  return text.replaceAll(WORDS, (all) => {
    const words = [...all.matchAll(new RegExp(WORD, 'gi'))]
    const bytes = Buffer.concat(words.map(([, , kind = '', word = '']) => wordBytes(kind, word)))
    return decodeAs(words[0]?.[1] ?? '', bytes) ?? all
  })
}

/** Of RFC 8187: `charset'language'percent-encoded`. */
function decodeExtended(value: string): string | null {
  const [, charset, text] = /^([\w-]+)'[^']*'(.*)$/.exec(value) ?? []
  return charset === undefined || text === undefined ? null : decodeAs(charset, percentBytes(text))
}

interface Reading {
  /** Whether `%E4…` in a plain name is meant so, as browsers take it of servers; names in forms may hold such letters. */
  readonly isPercentEncoded: boolean
}

function decodePlain(value: string, { isPercentEncoded }: Reading): string {
  const text = decodeWords(decodeUnnamed(Buffer.from(value, 'latin1')))
  if (!isPercentEncoded || !/%[0-9a-f]{2}/i.test(value)) return text
  return decodeWith(utf8, percentBytes(value)) ?? text
}

const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gs

/**
 * The file name in a `Content-Disposition`, read as browsers do; `filename*` wins over `filename`. `null` where there is none.
 * Source: RFC 6266, section 4.3, and appendix C.
 * @param header a letter for each byte, as Node.js has headers.
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
