import { PASTE_CONTENT_MAX_BYTES } from '@dropleaf/contract'

/** Whether a text exceeds the limit of a text share. */
export const isTooLargeToShare = (text: string): boolean =>
  // A UTF-16 unit is at most 3 bytes of UTF-8, so short texts need no encoding.
  text.length * 3 > PASTE_CONTENT_MAX_BYTES && new Blob([text]).size > PASTE_CONTENT_MAX_BYTES
