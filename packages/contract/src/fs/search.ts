import * as z from 'zod/mini'
import { authErrors } from '../administration/auth.ts'
import { fsErrors } from './fs.ts'
import { route } from '../core/route.ts'
import { storageErrors } from '../storages/storage-configs.ts'
import { defaultInt, instant, optionally, optionalText, pathId } from '../core/wire.ts'
import { rules } from '../core/rules.ts'

export const SEARCH_SCOPES = ['global', 'mount', 'directory'] as const
export type SearchScope = (typeof SEARCH_SCOPES)[number]

/** Bounds of the search text's length in code points, after trimming. */
export const SEARCH_MIN_CHARACTERS = 2
export const SEARCH_MAX_CHARACTERS = 200
export const SEARCH_PAGE_SIZE = 50
/** Maximum page size. A larger limit in a request is reduced to this number. */
export const SEARCH_PAGE_MAX = 200
/**
 * Maximum number of matches per mount that a search takes from the index, and also from the storage while the index is
 * incomplete. `total` does not count further matches.
 */
export const SEARCH_MATCHES_MAX = 1000

const charactersOf = (text: string) => [...text].length

const query = z.string().check(
  z.trim(),
  z.refine((text) => !text.includes('\0') && text.isWellFormed(), rules.queryText),
  z.refine((text) => charactersOf(text) >= SEARCH_MIN_CHARACTERS, rules.queryTooShort),
  z.refine((text) => charactersOf(text) <= SEARCH_MAX_CHARACTERS, rules.queryTooLong),
)

const searchResult = z.object({
  name: z.string(),
  path: z.string(),
  size: z.number(),
  modified: instant,
  isDirectory: z.literal(false),
  contentType: z.string(),
  mount_id: z.string(),
  mount_name: z.string(),
  storage_type: z.string(),
  s3_key: z.string(),
})
export type SearchResult = z.infer<typeof searchResult>

const indexStatus = z.object({
  configId: z.string(),
  name: z.string(),
  state: z.enum(['waiting', 'crawling', 'done', 'failed']),
  /** Number of indexed files, and their total size in bytes. */
  objects: z.number(),
  bytes: z.number(),
  /** Whether a crawl has completed. From then on, the server keeps the index up to date. */
  complete: z.boolean(),
  startedAt: z.nullable(instant),
  finishedAt: z.nullable(instant),
  /** Progress of the current or last crawl. `share` is from 0 to 1; `null` during the first crawl. */
  progress: z.object({ objects: z.number(), share: z.nullable(z.number()) }),
  /** Error code of the last crawl, if it failed. */
  error: z.nullable(z.string()),
})
export type IndexStatus = z.infer<typeof indexStatus>

export const searchRoutes = {
  search: route({
    method: 'GET',
    path: '/api/fs/search',
    access: 'mount',
    summary:
      'Files whose name contains a text, ignoring case: exact names first, then prefixes, then the newest.',
    query: z.object({
      q: query,
      scope: optionally<SearchScope, SearchScope>(
        'global',
        (value) => (value === '' ? 'global' : value),
        z.enum(SEARCH_SCOPES),
      ),
      limit: defaultInt({ min: 1, max: Number.MAX_SAFE_INTEGER }, SEARCH_PAGE_SIZE),
      offset: defaultInt({ min: 0, max: Number.MAX_SAFE_INTEGER }, 0),
      /** Required for the scope `mount`. */
      mount_id: optionalText(200),
      /** Required for the scope `directory`. */
      path: optionalText(2048),
    }),
    reply: z.object({
      data: z.object({
        results: z.array(searchResult),
        total: z.number(),
        hasMore: z.boolean(),
        /** Whether all storages in the scope are fully indexed. If false, there can be more matches. */
        complete: z.boolean(),
        searchParams: z.object({
          query: z.string(),
          scope: z.enum(SEARCH_SCOPES),
          mountId: z.nullable(z.string()),
          path: z.nullable(z.string()),
          limit: z.number(),
          offset: z.number(),
        }),
        mountsSearched: z.number(),
      }),
    }),
    errors: [fsErrors.path_invalid, authErrors.path_forbidden],
  }),
  indexes: route({
    method: 'GET',
    path: '/api/admin/index',
    access: 'admin',
    summary: 'The progress of the index of each storage.',
    reply: z.object({ data: z.array(indexStatus) }),
    errors: [],
  }),
  rebuild: route({
    method: 'POST',
    path: '/api/admin/index/:configId/rebuild',
    access: 'admin',
    summary: 'Start a new crawl of a storage soon. A running crawl continues.',
    params: z.object({ configId: pathId }),
    reply: z.object({ data: indexStatus }),
    errors: [storageErrors.not_found],
  }),
}
