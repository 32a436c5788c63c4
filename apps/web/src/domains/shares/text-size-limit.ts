import { PASTE_CONTENT_MAX_BYTES } from '@dropleaf/contract'

/** Whether a text exceeds the size limit of a text share. */
export const isTooLargeToShare = (text: string): boolean =>
  // A UTF-16 unit needs at most 3 bytes in UTF-8, so short texts need no encoding.
  text.length * 3 > PASTE_CONTENT_MAX_BYTES && new Blob([text]).size > PASTE_CONTENT_MAX_BYTES
