import { scaledPx } from '../../../../lib/browser/scaled-px.ts'

/** Height of a list row, in pixels. */
export const rowPxOf = (isPhone: boolean): number => scaledPx(isPhone ? 56 : 44)

/** Media query for narrow screens, where rows have two lines. */
export const PHONE = '(width < 40em)'
