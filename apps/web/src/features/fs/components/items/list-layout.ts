import { scaledPx } from '../../../../lib/browser/scaled-px.ts'

/** The height of a row of the list. */
export const rowPxOf = (isPhone: boolean): number => scaledPx(isPhone ? 56 : 44)

/** Rows have two lines. */
export const PHONE = '(width < 40em)'
