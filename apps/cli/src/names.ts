import { extname } from 'node:path'

/** Maximum length of a name in common file systems, in UTF-8 bytes. */
export const NAME_MAX_BYTES = 255

/** Returns the longest prefix of at most this many bytes that does not split a character. */
export function beginningOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  // Continuation bytes of a character have the form 10xxxxxx.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}

/** Names that Windows reserves for devices, whatever their extension. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/i

/**
 * Converts a name from a server to a name that every file system accepts. The result is never a path, not even on
 * Windows. Different names can have the same result.
 */
export function safeSegment(name: string): string {
  const plain = name
    .replaceAll(/[<>:"|?*/\\\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '_')
    .toWellFormed()
  const fitted = fitting(RESERVED.test(plain) ? `_${plain}` : plain)
  return fitted.replace(/[. ]+$/, (end) => '_'.repeat(end.length))
}

/** Shortens a name to the length that file systems accept. Keeps its extension, unless the extension is very long. */
function fitting(name: string): string {
  if (Buffer.byteLength(name) <= NAME_MAX_BYTES) return name
  const ending = extname(name)
  const room = NAME_MAX_BYTES - Buffer.byteLength(ending)
  return room > NAME_MAX_BYTES / 2
    ? beginningOf(name.slice(0, name.length - ending.length), room) + ending
    : beginningOf(name, NAME_MAX_BYTES)
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * Returns a file name for a download, without folders and forbidden characters. Unlike {@link safeSegment}, does not
 * change names that Windows reserves, or dots at the end.
 * @param disposition the `content-disposition` header
 * @param fallback returned unchanged if the header contains no usable name
 */
export function safeName(disposition: string | null, fallback: string): string {
  const [, extended] = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '') ?? []
  const [, quoted] = /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition ?? '') ?? []
  const [, plain] = /filename=([^;"\s]+)/i.exec(disposition ?? '') ?? []
  const said = decoded(extended) ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? ''
  const name = said
    .replace(/^.*[\\/]/, '')
    .replaceAll(/[<>:"|?*\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '_')
    .trim()
  return name === '' || /^\.+$/.test(name) ? fallback : fitting(name)
}
