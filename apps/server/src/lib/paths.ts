/** A virtual path in normal form: `/` or `/a/b`, no trailing slash, no `.`, `..` or empty segment. */
export type VirtualPath = string & { readonly __brand: 'VirtualPath' }

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const FORBIDDEN = /[\u0000-\u001f\u007f]/

/**
 * Normalises a path given by a user.
 * @returns `null` when it holds `.` or `..` segments, doubled slashes, a backslash, control characters, or such things
 *   percent-encoded.
 */
export function parseVirtualPath(text: string): VirtualPath | null {
  const path = `/${text.replace(/^\/|\/$/g, '')}`
  // As given and as it will be kept: a slash in front may turn an encoded one into a doubled one.
  return isPlain(text) && isPlain(path) ? (path as VirtualPath) : null
}

/** Spellings of ASCII in too many bytes of UTF-8, which lax decoders take for it. */
const OVERLONG = /%(?:c[01]|e0%[89]|f0%8)/i

/** Every escape decoded, one time. Names may hold a percent sign: what is no escape, or none of UTF-8, stands for itself. */
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

/** Whether `path` is `base` or lies below it. */
export function isAtOrBelow(path: VirtualPath, base: VirtualPath): boolean {
  return base === '/' || path === base || path.startsWith(`${base}/`)
}

/** The part of `path` below `base`, without slashes at its ends; empty when they are the same. */
export function pathBelow(path: VirtualPath, base: VirtualPath): string {
  return path.slice(base === '/' ? 1 : base.length + 1)
}
