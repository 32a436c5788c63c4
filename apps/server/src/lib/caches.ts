import { ExpiringCache } from './expiring-cache.ts'

/** The caches of one process. Each cache can be emptied at any time. */
export interface Caches {
  /** Response bodies of whole listings, see {@link directoryKey}. */
  readonly directory: ExpiringCache<Buffer>
  /** Signed URLs of objects. */
  readonly s3Url: ExpiringCache<{ readonly preview: string; readonly download: string }>
  /** Responses of the search, see {@link searchKey}. */
  readonly search: ExpiringCache<unknown>
  /** Parsed manifests of revisions of bundles. These manifests never change. */
  readonly manifests: ExpiringCache<unknown>
  /** Counts the invalidations of a storage's caches. Data that was read before the count changed must not be cached. */
  versionOf(configId: string): number
  noteForgotten(configId: string): void
}

const DIRECTORY_ENTRIES = 500
const DIRECTORY_BYTES = 64 * 1024 * 1024
const URL_ENTRIES = 1000
const SEARCH_ENTRIES = 500
const MANIFEST_ENTRIES = 200
/** Maximum total size in bytes of JSON. A parsed manifest takes several times as much memory. */
const MANIFEST_BYTES = 32 * 1024 * 1024

export function createCaches(): Caches {
  const counts = new Map<string, number>()
  return {
    directory: new ExpiringCache({
      name: 'directory',
      capacity: DIRECTORY_ENTRIES,
      maxWeight: DIRECTORY_BYTES,
    }),
    s3Url: new ExpiringCache({ name: 's3Url', capacity: URL_ENTRIES }),
    search: new ExpiringCache({ name: 'search', capacity: SEARCH_ENTRIES }),
    manifests: new ExpiringCache({
      name: 'manifests',
      capacity: MANIFEST_ENTRIES,
      maxWeight: MANIFEST_BYTES,
    }),
    versionOf: (configId) => counts.get(configId) ?? 0,
    noteForgotten: (configId) => void counts.set(configId, (counts.get(configId) ?? 0) + 1),
  }
}

interface FolderOfMount {
  readonly mountId: string
  readonly configId: string
  /** Key of the folder in the storage: empty, or with a trailing slash. */
  readonly folder: string
  /** Everything else that the body depends on; contains no colon. */
  readonly variant: string
}

export const directoryKey = ({ mountId, configId, folder, variant }: FolderOfMount): string =>
  `${mountId}:${configId}:${variant}:${folder}`

/** Matches the two lists of ids at the start of a key. Ids contain neither colons nor commas. */
const ID_LIST = /^([^:]*):([^:]*):/
const BEFORE_FOLDER = /^[^:]*:[^:]*:[^:]*:/

/** @param scope everything that the response depends on. */
export const searchKey = (
  { mountIds, configIds }: { mountIds: readonly string[]; configIds: readonly string[] },
  scope: unknown,
): string => `${mountIds.join(',')}:${configIds.join(',')}:${JSON.stringify(scope)}`

const belongsTo = (key: string, id: string): boolean =>
  (ID_LIST.exec(key)?.slice(1) ?? []).some((ids) => ids.split(',').includes(id))

/**
 * Invalidates the listings of some folders of a storage, and every search in that storage. Also invalidates the
 * listings of parent folders, because they show the folders' sizes. `null` means the whole storage.
 */
export function forgetFolders(
  caches: Caches,
  { configId, folders }: { configId: string; folders: readonly string[] | null },
): void {
  caches.noteForgotten(configId)
  caches.directory.clear((key) => {
    if (!belongsTo(key, configId)) return false
    const folder = key.replace(BEFORE_FOLDER, '')
    return folders === null || folders.some((changed) => changed.startsWith(folder))
  })
  caches.search.clear((key) => belongsTo(key, configId))
}

/** Empties every cache. @returns the number of removed entries. */
export const clearCaches = (caches: Caches): number =>
  caches.directory.clear() + caches.search.clear() + caches.s3Url.clear() + caches.manifests.clear()

/** Empties the caches of a mount or storage. @returns the number of removed entries */
export function clearCachesOf(caches: Caches, id: string): number {
  const matches = (key: string) => belongsTo(key, id)
  return (
    caches.directory.clear(matches) +
    caches.search.clear(matches) +
    caches.s3Url.clear((key) => key.startsWith(`${id}:`))
  )
}
