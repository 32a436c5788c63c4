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
  let decoded: string
  try {
    decoded = decodeURIComponent(text.replace(/%(?![0-9a-fA-F]{2})/g, '%25'))
  } catch {
    return null
  }
  for (const form of [text, decoded]) {
    if (FORBIDDEN.test(form) || form.includes('\\') || form.includes('//')) return null
    if (form.split('/').some((segment) => segment === '.' || segment === '..')) return null
  }
  const trimmed = text.replace(/^\/|\/$/g, '')
  return `/${trimmed}` as VirtualPath
}

/** Whether `path` is `base` or lies below it. */
export function isAtOrBelow(path: VirtualPath, base: VirtualPath): boolean {
  return base === '/' || path === base || path.startsWith(`${base}/`)
}

/** The part of `path` below `base`, without slashes at its ends; empty when they are the same. */
export function pathBelow(path: VirtualPath, base: VirtualPath): string {
  return path.slice(base === '/' ? 1 : base.length + 1)
}
