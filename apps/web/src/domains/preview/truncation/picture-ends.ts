import { type IsCut, lastPlaceOf, viewOf } from './ends.ts'

const mark = (text: string) => Array.from(text, (letter) => letter.codePointAt(0) ?? 0)

export const isPngCut: IsCut = async ({ readEnd }) => lastPlaceOf(await readEnd(), mark('IEND')) === -1

export const isJpegCut: IsCut = async ({ readEnd }) => lastPlaceOf(await readEnd(), [0xff, 0xd9]) === -1

/** Ends with a semicolon; some writers fill what follows. */
export const isGifCut: IsCut = async ({ readEnd }) => {
  const end = await readEnd()
  const last = end.findLast((byte) => byte !== 0)
  return last !== 0x3b
}

/** Its length is its second word. */
export const isBmpCut: IsCut = ({ head, sizeBytes }) => viewOf(head).getUint32(2, true) > sizeBytes

const ICON_ENTRY_BYTES = 16

/** A list says where each of its pictures is, and how long. */
export const isIconCut: IsCut = async ({ head, sizeBytes, read }) => {
  const count = viewOf(head).getUint16(4, true)
  const list = await read(6, count * ICON_ENTRY_BYTES)
  if (list.length < count * ICON_ENTRY_BYTES) return true
  const view = viewOf(list)
  for (let at = 0; at < list.length; at += ICON_ENTRY_BYTES)
    if (view.getUint32(at + 8, true) + view.getUint32(at + 12, true) > sizeBytes) return true
  return false
}

/** PDF readers repair a document without its end, and show what they find. */
export const isPdfCut: IsCut = async ({ readEnd }) => lastPlaceOf(await readEnd(), mark('%%EOF')) === -1
