import { type IsCut, lastPlaceOf, viewOf } from './ends.ts'

const mark = (text: string) => Array.from(text, (letter) => letter.codePointAt(0) ?? 0)

export const isPngCut: IsCut = async ({ readEnd }) => lastPlaceOf(await readEnd(), mark('IEND')) === -1

export const isJpegCut: IsCut = async ({ readEnd }) => lastPlaceOf(await readEnd(), [0xff, 0xd9]) === -1

/** Checks GIF, which ends with a semicolon. Some writers append zero bytes. */
export const isGifCut: IsCut = async ({ readEnd }) => {
  const end = await readEnd()
  const last = end.findLast((byte) => byte !== 0)
  return last !== 0x3b
}

/** Checks BMP, whose header states the file's length. */
export const isBmpCut: IsCut = ({ head, sizeBytes }) => viewOf(head).getUint32(2, true) > sizeBytes

const ICON_ENTRY_BYTES = 16

/** Checks icons, whose directory states the offset and length of each image. */
export const isIconCut: IsCut = async ({ head, sizeBytes, read }) => {
  const count = viewOf(head).getUint16(4, true)
  const list = await read(6, count * ICON_ENTRY_BYTES)
  if (list.length < count * ICON_ENTRY_BYTES) return true
  const view = viewOf(list)
  for (let at = 0; at < list.length; at += ICON_ENTRY_BYTES)
    if (view.getUint32(at + 8, true) + view.getUint32(at + 12, true) > sizeBytes) return true
  return false
}

/** Checks PDF by its end marker, because viewers silently repair a PDF without it. */
export const isPdfCut: IsCut = async ({ readEnd }) => lastPlaceOf(await readEnd(), mark('%%EOF')) === -1
