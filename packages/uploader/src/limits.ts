/** Files under way at once. */
export const FILES_AT_ONCE = 3
/** Requests that carry bytes at once, over all files: browsers open few connections to one server. */
export const PARTS_AT_ONCE = 3
/** Tries of one part after the first. */
export const PART_RETRIES = 3
/** Wait before a retry, times its number. */
export const RETRY_DELAY_MS = 1000
export const PART_TIMEOUT_MS = 300_000
/** How long an upload that broke off may be gone on with. */
export const SAVED_STATE_MS = 24 * 3_600_000
/** From this size on a file is sent in parts. */
export const MULTIPART_FROM_BYTES = 16 * 1024 * 1024
