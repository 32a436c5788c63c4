/** Heights of a row of the list. */
export const ROW_PX = 44
export const PHONE_ROW_PX = 56

/** Where a row has two lines. */
export const PHONE = '(width < 640px)'
