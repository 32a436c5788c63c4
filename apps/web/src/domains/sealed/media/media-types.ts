/**
 * Types that the browser may use for a decrypted file. Every other file is sent as plain bytes, because a page or
 * script of this origin could read everything that the app can read.
 */
const PICTURES = 'png jpeg gif webp avif bmp x-icon apng svg+xml vnd.microsoft.icon'.split(' ')
const RECORDINGS = /^(?:audio|video)\/[\w.+-]+$/

const BY_EXTENSION: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  apng: 'image/apng',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  ogv: 'video/ogg',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  weba: 'audio/webm',
}

const OTHER_TYPE = 'application/octet-stream'

const isAllowed = (type: string) =>
  RECORDINGS.test(type) || (type.startsWith('image/') && PICTURES.includes(type.slice('image/'.length)))

/** Returns the type with which the browser may show a decrypted file. */
export function shownType({ path, type }: { readonly path: string; readonly type: string }): string {
  const given = type.toLowerCase()
  if (isAllowed(given)) return given
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return BY_EXTENSION[extension] ?? OTHER_TYPE
}
