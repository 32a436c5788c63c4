/** Foreign text on one line, without terminal control characters or bidirectional controls. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
