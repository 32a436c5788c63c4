import { readEnd, readRange } from '../reading/byte-source.ts'
import type { PreviewSource } from '../preview-source.ts'
import { isBoxCut, isOggCut, isRiffCut, isWebmCut } from './container-ends.ts'
import { END_BYTES, type IsCut, type LookedAt, textAt } from './ends.ts'
import { isFlacCut } from './flac-end.ts'
import { isBmpCut, isGifCut, isIconCut, isJpegCut, isPdfCut, isPngCut } from './picture-ends.ts'
import { isAacCut, isMp3Cut } from './sound-ends.ts'

const HEAD_BYTES = 64

/** Signatures with their offsets; the first match wins. */
const FORMS: readonly { readonly at: number; readonly mark: string; readonly isCut: IsCut }[] = [
  { at: 4, mark: 'ftyp', isCut: isBoxCut },
  { at: 4, mark: 'moov', isCut: isBoxCut },
  { at: 4, mark: 'mdat', isCut: isBoxCut },
  { at: 4, mark: 'wide', isCut: isBoxCut },
  { at: 0, mark: 'RIFF', isCut: isRiffCut },
  { at: 0, mark: '\u001AE\u00DF\u00A3', isCut: isWebmCut },
  { at: 0, mark: 'OggS', isCut: isOggCut },
  { at: 0, mark: 'fLaC', isCut: isFlacCut },
  { at: 0, mark: 'ID3', isCut: isMp3Cut },
  { at: 0, mark: '\u0089PNG', isCut: isPngCut },
  { at: 0, mark: '\u00FF\u00D8', isCut: isJpegCut },
  { at: 0, mark: 'GIF8', isCut: isGifCut },
  { at: 0, mark: 'BM', isCut: isBmpCut },
  { at: 0, mark: '\0\0\u0001\0', isCut: isIconCut },
  { at: 0, mark: '%PDF', isCut: isPdfCut },
]

/** Finds the check for audio that has no file header and starts with a frame. */
function soundForm([first, second = 0]: Uint8Array): IsCut | null {
  if (first !== 0xff) return null
  if ((second & 0xf6) === 0xf0) return isAacCut
  return (second & 0xe6) === 0xe2 ? isMp3Cut : null
}

/**
 * Whether the end of an image, recording or document is missing, as far as the format shows this. Browsers show
 * incomplete files without an error.
 */
export async function isCut(source: PreviewSource, signal: AbortSignal): Promise<boolean> {
  const { sizeBytes } = source
  const read: LookedAt['read'] = (firstByte, length) =>
    readRange(source, { firstByte, lastByte: Math.min(sizeBytes, firstByte + length) - 1, signal })
  const head = await read(0, HEAD_BYTES)
  if (head.length < 12) return false
  const found = FORMS.find(({ at, mark }) => textAt(head, at, mark.length) === mark)
  const isFormCut = found?.isCut ?? soundForm(head)
  const end: LookedAt['readEnd'] = (length = END_BYTES) => readEnd(source, length, { signal })
  return isFormCut ? isFormCut({ head, sizeBytes, read, readEnd: end }) : false
}
