import type { FileKind } from './file-kind.ts'

const sign = (text: string) => [...text].map((letter) => letter.codePointAt(0) ?? 0)

/** What files of a kind begin with; `null` stands for any byte. */
const BEGINNINGS: readonly (readonly [FileKind, readonly (number | null)[]])[] = [
  ['image', [0xff, 0xd8, 0xff]],
  ['image', [0x89, ...sign('PNG\r\n\x1a\n')]],
  ['image', sign('GIF8')],
  ['image', [...sign('RIFF'), null, null, null, null, ...sign('WEBP')]],
  ['image', [null, null, null, null, ...sign('ftypavif')]],
  ['pdf', sign('%PDF-')],
  ['audio', [...sign('RIFF'), null, null, null, null, ...sign('WAVE')]],
  ['audio', sign('ID3')],
  ['audio', sign('fLaC')],
  ['audio', sign('OggS')],
  ['audio', [null, null, null, null, ...sign('ftypM4A')]],
  ['video', [null, null, null, null, ...sign('ftyp')]],
  ['video', [0x1a, 0x45, 0xdf, 0xa3]],
  ['font', sign('wOF2')],
  ['font', sign('wOFF')],
]

/** What bytes are by how they begin, as far as browsers can show it. */
export const kindOfBytes = (bytes: Uint8Array): FileKind | null =>
  BEGINNINGS.find(([, beginning]) =>
    beginning.every((byte, index) => byte === null || byte === bytes[index]),
  )?.[0] ?? null
