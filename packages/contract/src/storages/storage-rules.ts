/** Validation of storage settings, shared by server and web app. */

/**
 * Returns an HTTP or HTTPS URL without its trailing slashes. Returns `null` for any other text, and for a URL with a
 * user name, a password, a query, a fragment, white space or a backslash.
 */
export function plainAddress(text: string): string | null {
  if (!/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  const isPlain = url.username === '' && url.password === '' && !/[?#\s\\]/.test(text)
  return isPlain ? text.replace(/\/+$/, '') : null
}

/** Returns whether the text can be the name of a bucket at some provider. */
export const isBucketName = (text: string): boolean =>
  text !== '' && !/[\s/\\?#%\p{Cc}]|^\.{1,2}$/u.test(text)

/**
 * Returns whether the text is a single folder name without characters that an operating system forbids, and is not
 * reserved for the disk driver.
 */
export const isDiskFolder = (text: string): boolean =>
  text !== '' && !/[\\/:*?"<>|\p{Cc}]|^\.{1,2}$|^\.dropleaf-/iu.test(text)

/**
 * Returns whether the text is a folder path below the root of a storage, without names that are reserved for the
 * drivers. One leading and one trailing slash are ignored; empty text is the root.
 */
export function isFolderPath(text: string): boolean {
  const path = text.replace(/^\/|\/$/g, '')
  if (path === '') return true
  return (
    !/[\\\p{Cc}]/u.test(path) &&
    path.split('/').every((name) => !/^\.{0,2}$/.test(name) && !/^\.dropleaf-/i.test(name))
  )
}
