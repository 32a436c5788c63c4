/** Concurrent files. */
export const FILES_AT_ONCE = 3
/** Concurrent requests with bytes, over all files: browsers open few connections to one server. */
export const PARTS_AT_ONCE = 3
/** Retries of one part after the first attempt. */
export const PART_RETRIES = 3
/** Delay before a retry, multiplied by its number. */
export const RETRY_DELAY_MS = 1000
export const PART_TIMEOUT_MS = 300_000
/** How long an interrupted upload can be resumed. */
export const SAVED_STATE_MS = 24 * 3_600_000
/** Size from which a file is sent in parts. */
export const MULTIPART_FROM_BYTES = 16 * 1024 * 1024
