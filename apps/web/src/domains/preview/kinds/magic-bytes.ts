import type { FileKind } from './file-kind.ts'

/** Format found in the bytes of a file, regardless of its name. */
export interface FoundForm {
  readonly kind: FileKind
  /** Usual extension of this format. */
  readonly extension: string
}

type Sign = readonly (number | null)[]

const sign = (text: string): Sign => [...text].map((letter) => letter.codePointAt(0) ?? 0)
/** Creates a signature that skips `count` bytes; `null` matches any byte. */
const after = (count: number, text: string): Sign => [
  ...Array.from({ length: count }, () => null),
  ...sign(text),
]

/** Signatures at the start of a file; the first match wins. */
const BEGINNINGS: readonly (readonly [FileKind, string, Sign])[] = [
  ['image', 'jpg', [0xff, 0xd8, 0xff]],
  ['image', 'png', sign('\u0089PNG\r\n\u001A\n')],
  ['image', 'gif', sign('GIF8')],
  ['image', 'webp', [...sign('RIFF'), ...after(4, 'WEBP')]],
  ['image', 'tif', sign('II*\0')],
  ['image', 'tif', sign('MM\0*')],
  ['image', 'ico', sign('\0\0\u0001\0')],
  ['image', 'avif', after(4, 'ftypavif')],
  ['image', 'heic', after(4, 'ftyphe')],
  ['image', 'heic', after(4, 'ftypmif1')],
  ['image', 'heic', after(4, 'ftypmsf1')],
  ['pdf', 'pdf', sign('%PDF-')],
  ['audio', 'wav', [...sign('RIFF'), ...after(4, 'WAVE')]],
  ['audio', 'mp3', sign('ID3')],
  ['audio', 'flac', sign('fLaC')],
  ['audio', 'ogg', sign('OggS')],
  ['audio', 'mid', sign('MThd')],
  ['audio', 'm4a', after(4, 'ftypM4A')],
  ['video', 'mp4', after(4, 'ftyp')],
  ['video', 'mkv', [0x1a, 0x45, 0xdf, 0xa3]],
  ['video', 'avi', [...sign('RIFF'), ...after(4, 'AVI ')]],
  ['font', 'woff2', sign('wOF2')],
  ['font', 'woff', sign('wOFF')],
  ['font', 'otf', sign('OTTO\0')],
  ['font', 'ttf', sign('\0\u0001\0\0\0')],
  ['ebook', 'epub', after(30, 'mimetypeapplication/epub+zip')],
  ['document', 'odt', after(30, 'mimetypeapplication/vnd.oasis.opendocument.text')],
  ['sheet', 'ods', after(30, 'mimetypeapplication/vnd.oasis.opendocument.spreadsheet')],
  ['archive', 'zip', sign('PK\u0003\u0004')],
  ['archive', 'zip', sign('PK\u0005\u0006')],
  ['archive', 'gz', [0x1f, 0x8b, 0x08]],
  ['archive', '7z', sign("7z\u00BC\u00AF'\u001C")],
  ['archive', 'rar', sign('Rar!\u001A\u0007')],
  ['archive', 'xz', [0xfd, ...sign('7zXZ\0')]],
  ['archive', 'bz2', [...sign('BZh'), null, ...sign('1AY&SY')]],
  ['archive', 'zst', [0x28, 0xb5, 0x2f, 0xfd]],
  ['archive', 'tar', after(257, 'ustar')],
  ['database', 'sqlite', sign('SQLite format 3\0')],
  ['program', 'elf', [0x7f, ...sign('ELF')]],
  ['program', 'exe', [...sign('MZ'), null, 0]],
  ['program', 'class', [0xca, 0xfe, 0xba, 0xbe]],
  ['program', 'wasm', sign('\0asm')],
]

/** Zip-based documents, recognised by the names of their first files. */
const IN_ZIPS: readonly (readonly [FileKind, string, string])[] = [
  ['document', 'docx', 'word/'],
  ['sheet', 'xlsx', 'xl/'],
  ['slides', 'pptx', 'ppt/'],
]

const begins = (bytes: Uint8Array, beginning: Sign) =>
  beginning.every((byte, index) => byte === null || byte === bytes[index])

function inZip(bytes: Uint8Array): FoundForm | null {
  const text = new TextDecoder('latin1').decode(bytes)
  if (!text.includes('[Content_Types].xml') && !text.includes('_rels/.rels')) return null
  const found = IN_ZIPS.find(([, , folder]) => text.includes(folder))
  return found ? { kind: found[0], extension: found[1] } : null
}

/**
 * Recognises a format by its signature. The caller must rule out text first, because a text can start with most of
 * the signatures.
 */
export function formOfBytes(bytes: Uint8Array): FoundForm | null {
  const found = BEGINNINGS.find(([, , beginning]) => begins(bytes, beginning))
  if (!found) return null
  const [kind, extension] = found
  return (extension === 'zip' && inZip(bytes)) || { kind, extension }
}

export const kindOfBytes = (bytes: Uint8Array): FileKind | null => formOfBytes(bytes)?.kind ?? null
