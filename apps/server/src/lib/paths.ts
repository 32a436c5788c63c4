/** A virtual path in normal form: `/` or `/a/b`, no trailing slash, no `.`, `..` or empty segment. */
export type VirtualPath = string & { readonly __brand: 'VirtualPath' }

// eslint-disable-next-line no-control-regex -- the expression must match control characters
const FORBIDDEN = /[\u0000-\u001f\u007f]/

/**
 * Normalises a path given by a user.
 * @returns `null` if it contains `.` or `..` segments, double slashes, a backslash, control characters, or any of them
 *   percent-encoded.
 */
export function parseVirtualPath(text: string): VirtualPath | null {
  const path = `/${text.replace(/^\/|\/$/g, '')}`
  // Checks the given and the stored form, because a leading slash can turn an encoded slash into a double slash.
  return isPlain(text) && isPlain(path) ? (path as VirtualPath) : null
}

/** Overlong UTF-8 encodings of ASCII, which lax decoders accept. */
const OVERLONG = /%(?:c[01]|e0%[89]|f0%8)/i

/**
 * Decodes every escape once. Invalid escapes and invalid UTF-8 stay unchanged, because names can contain a percent
 * sign.
 */
const decodeEscapes = (text: string): string =>
  text.replace(/(?:%[0-9a-fA-F]{2})+/g, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  )

function isPlain(text: string): boolean {
  if (OVERLONG.test(text)) return false
  const decoded = decodeEscapes(text)
  return [text, decoded].every(
    (form) =>
      !FORBIDDEN.test(form) &&
      !form.includes('\\') &&
      !form.includes('//') &&
      !form.split('/').some((segment) => segment === '.' || segment === '..'),
  )
}

/** Whether `path` is `base` or below it. */
export function isAtOrBelow(path: VirtualPath, base: VirtualPath): boolean {
  return base === '/' || path === base || path.startsWith(`${base}/`)
}

/** Returns the part of `path` below `base`, without leading and trailing slashes; empty if the two are equal. */
export function pathBelow(path: VirtualPath, base: VirtualPath): string {
  return path.slice(base === '/' ? 1 : base.length + 1)
}
