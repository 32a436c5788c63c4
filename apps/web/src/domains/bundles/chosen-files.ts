/** Object URLs of chosen files. They stay valid until the page is closed. */
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
