/**
 * Scales a length with the font size of the browser, like `rem`.
 * @param px length at the default font size
 */
export const scaledPx = (px: number): number =>
  Math.round((px * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)) / 16)
