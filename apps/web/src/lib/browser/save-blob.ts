/** How long the object URL stays valid: long enough for a browser that asks where to save the file. */
const RELEASE_MS = 60_000

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS)
}

/** Returns a file name without the characters that an operating system forbids. */
export const fileNameOf = (title: string, ending: string, untitled: string): string => {
  const stem = title
    .replaceAll(/[\\/:*?"<>|\p{C}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
    .replace(/[. ]+$/, '')
  return `${stem || untitled}.${ending}`
}
