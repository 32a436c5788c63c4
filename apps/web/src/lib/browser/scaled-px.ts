/**
 * The length of what holds lines of text and is counted by scripts: like `rem`, it grows with the letters that somebody has
 * set in the browser.
 * @param px with letters of the usual size
 */
export const scaledPx = (px: number): number =>
  Math.round((px * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)) / 16)
