/** Maximum number of files that are uploaded concurrently. */
export const FILES_AT_ONCE = 3
/**
 * Maximum number of concurrent requests that send bytes, over all files. Browsers limit the connections to one server.
 */
export const PARTS_AT_ONCE = 3
export const PART_RETRIES = 3
/** Delay before the first retry in milliseconds; multiplied by the number of the retry. */
export const RETRY_DELAY_MS = 1000
export const PART_TIMEOUT_MS = 300_000
/** How long an interrupted upload can be resumed, in milliseconds. */
export const SAVED_STATE_MS = 24 * 3_600_000
/** Files of this size or larger are sent in parts if the preferred method is `auto`. */
export const MULTIPART_FROM_BYTES = 16 * 1024 * 1024
