/** Rules for what an administrator types of a storage. Both sides of the wire hold it to them. */

/** An http or https address without anything behind its path, and without a slash at its end; `null` for any other text. */
export function plainAddress(text: string): string | null {
  if (!/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  const isPlain = url.username === '' && url.password === '' && !/[?#\s\\]/.test(text)
  return isPlain ? text.replace(/\/+$/, '') : null
}

/** Whether a text can name a bucket at any provider. */
export const isBucketName = (text: string): boolean =>
  text !== '' && !/[\s/\\?#%\p{Cc}]|^\.{1,2}$/u.test(text)

/** Whether a text is one plain name, which every operating system takes for that of a folder. */
export const isDiskFolder = (text: string): boolean =>
  text !== '' && !/[\\/:*?"<>|\p{Cc}]|^\.{1,2}$|^\.dropleaf-/iu.test(text)

/** Whether a text leads from the root of a storage to a folder in it; slashes at its ends do not count, empty is the root. */
export function isFolderPath(text: string): boolean {
  const path = text.replace(/^\/|\/$/g, '')
  if (path === '') return true
  return (
    !/[\\\p{Cc}]/u.test(path) &&
    path.split('/').every((name) => !/^\.{0,2}$/.test(name) && !/^\.dropleaf-/i.test(name))
  )
}
