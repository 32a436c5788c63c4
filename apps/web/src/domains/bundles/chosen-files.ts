/** Object URLs of chosen files. The URL of a file stays valid while the tab holds the file. */
const urls = new WeakMap<File, string>()

/** Returns the object URL of a file. The first call creates the URL. */
export function objectUrlOf(file: File): string {
  const url = urls.get(file) ?? URL.createObjectURL(file)
  urls.set(file, url)
  return url
}

/** Returns the path that a relative URL in a text names. */
export const plainPath = (address: string): string => {
  try {
    return decodeURIComponent(address.replace(/[?#].*$/s, '').replace(/^\.\//, ''))
  } catch {
    return address
  }
}
