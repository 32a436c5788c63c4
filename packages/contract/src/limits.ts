/** Numbers that both sides of the wire hold each other to. Sizes are bytes, times are seconds unless the name says otherwise. */

export const KIB = 1024
export const MIB = 1024 * KIB
export const GIB = 1024 * MIB

export const PASTE_CONTENT_MAX_BYTES = 10 * MIB
export const PASTE_PREVIEW_CHARACTERS = 200
/** Earlier versions that are kept of a text: the newest, as many as both allow. */
export const PASTE_REVISIONS_MAX = 50
export const PASTE_REVISIONS_MAX_BYTES = 20 * MIB

export const SLUG_MAX_LENGTH = 50
/** Of a link that is opened: those that came from CloudPaste knew no limit. */
export const SHOWN_SLUG_MAX_LENGTH = 1000
export const RANDOM_SLUG_LENGTH = 6

export const REMARK_MAX_LENGTH = 500
export const PASSWORD_MAX_LENGTH = 256
/** The same of a password that is shown to open a share. */
export const SHOWN_PASSWORD_MAX_LENGTH = 1000
export const FILENAME_MAX_BYTES = 255
export const FOLDER_MAX_LENGTH = 900

/** Upper bound of `max_views`: the largest integer both databases and JSON carry without loss in one column type. */
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
/** How "never" reads on the wire for API keys. */
export const NEVER_EXPIRES = '9999-12-31T23:59:59.000Z'

export const DEFAULT_MAX_UPLOAD_MB = 100
export const UPLOAD_SIZE_LIMIT_MB = 10 * 1024 * 1024

export const DEFAULT_SIGNATURE_SECONDS = 3600
/** Longest life of a signed address. Source: AWS S3 "Authenticating requests: query parameters", API/sigv4-query-string-auth.html, read 2026-11-20. */
export const SIGNATURE_MAX_SECONDS = 7 * 24 * 3600

export const STORAGE_NAME_MAX_LENGTH = 50
export const BUCKET_NAME_MAX_LENGTH = 255
export const URL_MAX_LENGTH = 2048
/** Capacity of a storage whose admin names none: what Cloudflare R2 and Backblaze B2 give for free. */
export const FREE_TIER_BYTES = 10 * GIB
/** The same for every other S3 provider. */
export const DEFAULT_CAPACITY_BYTES = 5 * GIB

export const MOUNT_NAME_MAX_LENGTH = 50
export const MOUNT_PATH_MAX_LENGTH = 100
export const CACHE_TTL_MAX_SECONDS = 86_400
export const DEFAULT_CACHE_TTL_SECONDS = 300
/** Both ways from 0: what an integer column holds. */
export const SORT_ORDER_LIMIT = 2_147_483_647

export const PASTES_PAGE_SIZE = 10
export const USER_PASTES_PAGE_SIZE = 10
export const FILES_PAGE_SIZE = 50
export const PAGE_SIZE_MAX = 200

/** How many ids one batch request may carry. */
export const BATCH_IDS_MAX = 1000

/** How long a used-up or expired share still answers 410 before it is forgotten. */
export const TOMBSTONE_SECONDS = 24 * 3600

/** Extensions whose content is Markdown, lower case, without the dot. */
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

/** How many paths one request may name. */
export const BATCH_PATHS_MAX = 10_000
/** Objects of one folder that are copied between storages by the client itself; more go by a task of the server. */
export const CLIENT_COPY_OBJECTS_MAX = 5000

export const SHARE_SEARCH_MAX_LENGTH = 200
/** Characters of a text that a search of the shares looks at, beside its remark and suffix. */
export const SHARE_SEARCHED_CHARACTERS = 2000

/** Header by which a request names itself; in lower case, as servers see it. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key'
export const IDEMPOTENCY_KEY_PATTERN = /^[\w-]{16,128}$/
