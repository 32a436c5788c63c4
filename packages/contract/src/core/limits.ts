/** Limits shared by server and clients. Sizes are bytes, times are seconds, unless the name says otherwise. */

export const KIB = 1024
export const MIB = 1024 * KIB
export const GIB = 1024 * MIB

export const PASTE_CONTENT_MAX_BYTES = 10 * MIB
export const PASTE_PREVIEW_CHARACTERS = 200
/** Earlier versions stored for a text: the newest, as many as both limits allow. */
export const PASTE_REVISIONS_MAX = 50
export const PASTE_REVISIONS_MAX_BYTES = 20 * MIB

export const SLUG_MAX_LENGTH = 50
/** Longest suffix that opens a share: suffixes imported from CloudPaste have no limit of their own. */
export const SHOWN_SLUG_MAX_LENGTH = 1000
export const RANDOM_SLUG_LENGTH = 6

export const REMARK_MAX_LENGTH = 500
export const PASSWORD_MAX_LENGTH = 256
/** Longest password accepted for opening a share. */
export const SHOWN_PASSWORD_MAX_LENGTH = 1000
export const FILENAME_MAX_BYTES = 255
export const FOLDER_MAX_LENGTH = 900

/** Upper bound of `max_views`: the largest integer that both databases and JSON store exactly in one column type. */
export const MAX_VIEWS_LIMIT = 2_147_483_647
/** Upper bound of `expires_in` for shares, in hours: 100 years. */
export const EXPIRES_IN_MAX_HOURS = 876_000

export const ADMIN_USERNAME_MAX_LENGTH = 64
export const ADMIN_PASSWORD_MIN_LENGTH = 8
export const ADMIN_SESSION_SECONDS = 24 * 3600

export const API_KEY_NAME_MAX_LENGTH = 64
export const API_KEY_MAX_LENGTH = 128
export const API_KEY_GENERATED_LENGTH = 32
export const API_KEY_DEFAULT_SECONDS = 24 * 3600
/** The value that means "never" for API keys. */
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
/** Default capacity for Cloudflare R2 and Backblaze B2: their free tier. */
export const FREE_TIER_BYTES = 10 * GIB
/** Default capacity for every other S3 provider. */
export const DEFAULT_CAPACITY_BYTES = 5 * GIB

export const MOUNT_NAME_MAX_LENGTH = 50
export const MOUNT_PATH_MAX_LENGTH = 100
export const CACHE_TTL_MAX_SECONDS = 86_400
export const DEFAULT_CACHE_TTL_SECONDS = 300
/** Bound in both directions: the range of an integer column. */
export const SORT_ORDER_LIMIT = 2_147_483_647

export const PASTES_PAGE_SIZE = 10
export const USER_PASTES_PAGE_SIZE = 10
export const FILES_PAGE_SIZE = 50
export const PAGE_SIZE_MAX = 200

/** Largest number of ids in one batch request. */
export const BATCH_IDS_MAX = 1000

/** How long a used-up or expired share answers 410 before it is deleted. */
export const TOMBSTONE_SECONDS = 24 * 3600

/** How long a device that opened a share may come back, by default and at most. */
export const OPENING_GRACE_MINUTES = 10
export const OPENING_GRACE_MAX_MINUTES = 24 * 60

/** Extensions of Markdown files, lower case, without the dot. */
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

/** Largest number of paths in one request. */
export const BATCH_PATHS_MAX = 10_000
/**
 * Largest number of objects in a folder that a client copies between storages itself; larger folders need a task of the
 * server.
 */
export const CLIENT_COPY_OBJECTS_MAX = 5000

export const SHARE_SEARCH_MAX_LENGTH = 200
/** Characters of a text that the search in shares covers, besides its remark and suffix. */
export const SHARE_SEARCHED_CHARACTERS = 2000

/** Header that identifies a request; in lower case, as servers see it. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key'
export const IDEMPOTENCY_KEY_PATTERN = /^[\w-]{16,128}$/
