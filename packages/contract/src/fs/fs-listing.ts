import * as z from 'zod/mini'
import { authErrors } from '../administration/auth.ts'
import { fsErrors } from './fs.ts'
import { route } from '../core/route.ts'
import { storageFailures } from '../storages/storage-configs.ts'
import { instant, optionalBoolean, optionalInt, optionally, optionalText } from '../core/wire.ts'

export const LIST_SORTS = ['name', 'size', 'modified'] as const
export type ListSort = (typeof LIST_SORTS)[number]
export const LIST_ORDERS = ['asc', 'desc'] as const
export type ListOrder = (typeof LIST_ORDERS)[number]

/** Maximum number of entries per page. */
export const LIST_LIMIT_MAX = 1000

const LIST_PATH_MAX_LENGTH = 2048
const CURSOR_MAX_LENGTH = 8192

const blankToNull = (value: unknown) => (value === undefined || value === '' ? null : value)

/** A folder above mounts, or a mount inside a folder. */
const virtualItem = z.object({
  name: z.string(),
  path: z.string(),
  isDirectory: z.literal(true),
  isVirtual: z.literal(true),
})

const folderItem = z.object({
  name: z.string(),
  path: z.string(),
  isDirectory: z.literal(true),
  isVirtual: z.literal(false),
  /** Total size in bytes of all indexed files below the folder. */
  size: z.number(),
  modified: z.nullable(instant),
})

const fileItem = z.object({
  name: z.string(),
  path: z.string(),
  isDirectory: z.literal(false),
  size: z.number(),
  modified: instant,
  etag: z.string(),
})

const realFolder = z.object({
  path: z.string(),
  type: z.literal('directory'),
  isRoot: z.literal(false),
  isVirtual: z.literal(false),
  mount_id: z.string(),
  storage_type: z.string(),
  /** Whether the sizes of all folders in the listing are complete. */
  size_complete: z.boolean(),
  /**
   * Number of entries in this folder, or on this page, that `items` omits. `unusable_name` means that no path can
   * contain the names: they are not UTF-8, start with a slash, have two slashes in a row, contain control characters,
   * or are too long.
   */
  not_shown: z.optional(z.object({ count: z.number(), reason: z.literal('unusable_name') })),
  items: z.array(z.union([fileItem, folderItem, virtualItem])),
  /** Cursor of the next page, `null` at the end; present only if the request has a limit. */
  next_cursor: z.optional(z.nullable(z.string())),
})

const virtualFolder = z.object({
  path: z.string(),
  isDirectory: z.literal(true),
  isVirtual: z.literal(true),
  items: z.array(virtualItem),
  next_cursor: z.optional(z.null()),
})

export type VirtualListItem = z.infer<typeof virtualItem>
export type RealFolder = z.infer<typeof realFolder>
export type VirtualFolder = z.infer<typeof virtualFolder>

export const fsListingRoutes = {
  list: route({
    method: 'GET',
    path: '/api/fs/list',
    access: 'mount',
    summary:
      'The entries of a folder: folders first, in natural name order; all of them, or in pages. A page without `sort` is in the fastest order.',
    query: z.object({
      path: optionally<string, string>(
        '/',
        (value) => value,
        z.string().check(z.maxLength(LIST_PATH_MAX_LENGTH)),
      ),
      limit: optionalInt({ min: 1, max: LIST_LIMIT_MAX }),
      cursor: optionalText(CURSOR_MAX_LENGTH),
      sort: optionally<ListSort | null, ListSort>(null, blankToNull, z.nullable(z.enum(LIST_SORTS))),
      order: optionally<ListOrder, ListOrder>(
        'asc',
        (value) => blankToNull(value) ?? 'asc',
        z.enum(LIST_ORDERS),
      ),
      /** Whether to read the storage instead of the cache. */
      refresh: optionalBoolean,
    }),
    reply: z.object({ data: z.union([realFolder, virtualFolder]) }),
    errors: [
      fsErrors.path_invalid,
      authErrors.path_forbidden,
      fsErrors.not_found,
      fsErrors.not_a_folder,
      ...storageFailures,
    ],
  }),
}
