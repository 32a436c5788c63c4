/** Somebody else's words in one line, without characters that steer a terminal or turn a line around. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
