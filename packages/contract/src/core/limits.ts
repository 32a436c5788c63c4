/**
 * Limits shared by server and clients. Sizes are in bytes and times in seconds, unless the name contains another unit.
 */

export const KIB = 1024
export const MIB = 1024 * KIB
export const GIB = 1024 * MIB

export const PASTE_CONTENT_MAX_BYTES = 10 * MIB
export const PASTE_PREVIEW_CHARACTERS = 200
/** Maximum number and total size of the earlier versions stored for a text. The oldest versions are deleted first. */
export const PASTE_REVISIONS_MAX = 50
export const PASTE_REVISIONS_MAX_BYTES = 20 * MIB

export const BUNDLE_ITEMS_MAX = 10_000
export const BUNDLE_OBJECTS_MAX = 10_000
export const BUNDLE_TITLE_MAX_LENGTH = 200
/** Maximum size of a stored manifest with its page, in bytes of UTF-8. */
export const BUNDLE_MANIFEST_MAX_BYTES = 8 * MIB
/**
 * Maximum number and total size of the revisions of a bundle. The oldest revisions are deleted first. The current
 * revision is never deleted.
 */
export const BUNDLE_REVISIONS_MAX = 50
export const BUNDLE_REVISIONS_MAX_BYTES = 20 * MIB

export const SLUG_MAX_LENGTH = 50
/**
 * Maximum length of the suffix in a link. It is larger than `SLUG_MAX_LENGTH`, because suffixes imported from
 * CloudPaste can be longer.
 */
export const SHOWN_SLUG_MAX_LENGTH = 1000
export const RANDOM_SLUG_LENGTH = 6

export const REMARK_MAX_LENGTH = 500
export const PASSWORD_MAX_LENGTH = 256
/** Maximum length of a password for opening a share. */
export const SHOWN_PASSWORD_MAX_LENGTH = 1000
export const FILENAME_MAX_BYTES = 255
export const FOLDER_MAX_LENGTH = 900

/** Upper bound of `max_views`: the largest value of a 32-bit integer column. */
export const MAX_VIEWS_LIMIT = 2_147_483_647
/** Upper bound of a share's `expires_in`, in hours: 100 years. */
export const EXPIRES_IN_MAX_HOURS = 876_000

export const ADMIN_USERNAME_MAX_LENGTH = 64
export const ADMIN_PASSWORD_MIN_LENGTH = 8
export const ADMIN_SESSION_SECONDS = 24 * 3600

export const API_KEY_NAME_MAX_LENGTH = 64
export const API_KEY_MAX_LENGTH = 128
export const API_KEY_GENERATED_LENGTH = 32
export const API_KEY_DEFAULT_SECONDS = 24 * 3600
/** Expiry that means "never" for API keys. */
export const NEVER_EXPIRES = '9999-12-31T23:59:59.000Z'

export const DEFAULT_MAX_UPLOAD_MB = 100
export const UPLOAD_SIZE_LIMIT_MB = 10 * 1024 * 1024

export const DEFAULT_SIGNATURE_SECONDS = 3600
/**
 * Longest lifetime of a signed URL. Source: AWS S3 "Authenticating requests: query parameters",
 * API/sigv4-query-string-auth.html, read 2026-11-20.
 */
export const SIGNATURE_MAX_SECONDS = 7 * 24 * 3600

export const STORAGE_NAME_MAX_LENGTH = 50
export const BUCKET_NAME_MAX_LENGTH = 255
export const URL_MAX_LENGTH = 2048
/** Default capacity for Cloudflare R2 and Backblaze B2, equal to their free tier. */
export const FREE_TIER_BYTES = 10 * GIB
/** Default capacity for all other S3 providers. */
export const DEFAULT_CAPACITY_BYTES = 5 * GIB

export const MOUNT_NAME_MAX_LENGTH = 50
export const MOUNT_PATH_MAX_LENGTH = 100
export const CACHE_TTL_MAX_SECONDS = 86_400
export const DEFAULT_CACHE_TTL_SECONDS = 300
/** Largest absolute value of a sort number, from the range of a 32-bit integer column. */
export const SORT_ORDER_LIMIT = 2_147_483_647

export const PASTES_PAGE_SIZE = 10
export const USER_PASTES_PAGE_SIZE = 10
export const FILES_PAGE_SIZE = 50
export const PAGE_SIZE_MAX = 200

/** Maximum number of IDs in one batch request. */
export const BATCH_IDS_MAX = 1000

/** How long a used-up or expired share responds with status 410 before it is deleted. */
export const TOMBSTONE_SECONDS = 24 * 3600

/** How long a device can reopen a share that it has opened, in minutes: the default and the maximum. */
export const OPENING_GRACE_MINUTES = 10
export const OPENING_GRACE_MAX_MINUTES = 24 * 60

/** File extensions of Markdown, in lower case and without the dot. */
export const MARKDOWN_EXTENSIONS = [
  'md',
  'markdown',
  'mdown',
  'mkd',
  'mdwn',
  'mdtxt',
  'mdtext',
  'rmd',
] as const

/** Maximum number of paths in one request. */
export const BATCH_PATHS_MAX = 10_000
/**
 * Maximum number of objects in a folder that a client can copy between storages. A task on the server must copy larger
 * folders.
 */
export const CLIENT_COPY_OBJECTS_MAX = 5000

export const SHARE_SEARCH_MAX_LENGTH = 200
/** Number of characters of a text that a search for shares covers, in addition to the text's remark and suffix. */
export const SHARE_SEARCHED_CHARACTERS = 2000

/** Header with the idempotency key, in lower case as Node.js reports it. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key'
export const IDEMPOTENCY_KEY_PATTERN = /^[\w-]{16,128}$/

/** Maximum number of plain bytes of small files that share one object of a sealed bundle. */
export const SEALED_PACK_MAX_BYTES = 8 * MIB
