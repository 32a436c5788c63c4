import { ExpiringCache } from './expiring-cache.ts'

/** What one process remembers. Hints only: every one may be emptied at any time. */
export interface Caches {
  /** Listings of folders. */
  readonly directory: ExpiringCache<unknown>
  /** Signed addresses of objects. */
  readonly s3Url: ExpiringCache<{ readonly preview: string; readonly download: string }>
  readonly search: ExpiringCache<unknown>
}

const DIRECTORY_ENTRIES = 500
const URL_ENTRIES = 1000
const SEARCH_ENTRIES = 500

export function createCaches(): Caches {
  return {
    directory: new ExpiringCache({ name: 'directory', capacity: DIRECTORY_ENTRIES }),
    s3Url: new ExpiringCache({ name: 's3Url', capacity: URL_ENTRIES }),
    search: new ExpiringCache({ name: 'search', capacity: SEARCH_ENTRIES }),
  }
}
