import { readStored, writeStored } from '../../lib/browser/storage.ts'

/** View settings of texts in this browser. */

const OUTLINE_KEY = 'paste_outline'
const WIDTH_KEY = 'paste_outline_width'
const WRAP_KEY = 'paste_wrap'

export const OUTLINE_WIDTH_PX = { min: 160, usual: 240, max: 480 } as const

export const wantsOutline = (): boolean => readStored(OUTLINE_KEY) === 'open'
export const rememberOutline = (isOpen: boolean): boolean => writeStored(OUTLINE_KEY, isOpen ? 'open' : null)

export const boundedWidth = (widthPx: number): number =>
  Math.round(Math.min(OUTLINE_WIDTH_PX.max, Math.max(OUTLINE_WIDTH_PX.min, widthPx)))

export function outlineWidth(): number {
  const stored = Number(readStored(WIDTH_KEY))
  return stored > 0 ? boundedWidth(stored) : OUTLINE_WIDTH_PX.usual
}
export const rememberWidth = (widthPx: number): boolean => writeStored(WIDTH_KEY, String(widthPx))

export const wrapsLines = (): boolean => readStored(WRAP_KEY) !== 'off'
export const rememberWrap = (isWrapped: boolean): boolean => writeStored(WRAP_KEY, isWrapped ? null : 'off')
