/** Long enough for a browser that asks for a folder. */
const RELEASE_MS = 60_000

/** Saves bytes as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS)
}

/** A file name that is valid on every system. */
export const fileNameOf = (title: string, ending: string, untitled: string): string => {
  const stem = title
    .replaceAll(/[\\/:*?"<>|\p{C}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 80)
    .replace(/[. ]+$/, '')
  return `${stem || untitled}.${ending}`
}
