/**
 * Converts untrusted text to one line. Replaces control characters, including those for bidirectional text, with
 * spaces.
 */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
