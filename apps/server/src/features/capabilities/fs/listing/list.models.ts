import type { ListOrder, ListSort, VirtualListItem } from '@dropleaf/contract'
import * as z from 'zod/mini'
import { isAtOrBelow, pathBelow, type VirtualPath } from '../../../../lib/paths.ts'
import type { Secrets } from '../../../../lib/secrets.ts'
import type { PathActor } from '../../../foundation/identity/actor.models.ts'
import type { MountRow } from '../../../foundation/mounts/mounts.table.ts'
import { mayRead } from '../places/access.models.ts'

/** A file or folder in a listing. */
export interface Entry {
  readonly name: string
  readonly isFolder: boolean
  readonly sizeBytes: number
  /** Modification time; `null` on S3 for a folder whose content is unknown. */
  readonly modifiedAtMs: number | null
  readonly etag: string
  /** Sort key among entries of the same kind, see `sortKeyOf`. */
  readonly sortKey: string
}

/** Sort position of the last entry of the previous page. */
export interface EntryMark {
  readonly isFolder: boolean
  readonly value: number
  readonly sortKey: string
}

/** Cursor of the next page: either the storage's own cursor, or the last entry in the requested order. */
export type ListCursor =
  | { readonly kind: 'storage'; readonly cursor: string }
  | { readonly kind: 'sorted'; readonly sort: ListSort; readonly order: ListOrder; readonly mark: EntryMark }

const cursorText = z.union([
  z.object({ kind: z.literal('storage'), cursor: z.string().check(z.minLength(1)) }),
  z.object({
    kind: z.literal('sorted'),
    sort: z.enum(['name', 'size', 'modified']),
    order: z.enum(['asc', 'desc']),
    mark: z.object({
      isFolder: z.boolean(),
      value: z.int(),
      sortKey: z.string().check(z.refine((text) => text.isWellFormed() && !text.includes('\0'))),
    }),
  }),
])

/** Encryption context of {@link sealCursor}. */
const CURSOR = 'list-cursor'

/** Encrypts a cursor for clients, since a storage's cursor can contain the name of a hidden object. */
export const sealCursor = (secrets: Secrets, cursor: ListCursor): string =>
  secrets.seal(JSON.stringify(cursor), CURSOR)

/** @returns `undefined` for a cursor that was not created by this server. */
export function openCursor(secrets: Secrets, text: string): ListCursor | undefined {
  try {
    return cursorText.safeParse(JSON.parse(secrets.open(text, CURSOR))).data
  } catch {
    return undefined
  }
}

export const valueOf = (entry: Entry, sort: ListSort): number => {
  if (sort === 'name') return 0
  return sort === 'size' ? entry.sizeBytes : (entry.modifiedAtMs ?? 0)
}

export const markOf = (entry: Entry, sort: ListSort): EntryMark => ({
  isFolder: entry.isFolder,
  value: valueOf(entry, sort),
  sortKey: entry.sortKey,
})

/** Matches UTF-16 units from U+D800 on, for which the orders of UTF-16 and UTF-8 differ. */
const BEYOND_PLAIN = /[\ud800-\uffff]/

const compareTexts = (a: string, b: string) => {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/**
 * Compares entries as the index does: folders first, then by value, then by name. Folders come first in descending
 * order too.
 */
function comparator(order: ListOrder, compareKeys: (a: string, b: string) => number) {
  const sign = order === 'asc' ? 1 : -1
  return (a: EntryMark, b: EntryMark): number => {
    if (a.isFolder !== b.isFolder) return a.isFolder ? -1 : 1
    return sign * (a.value - b.value || compareKeys(a.sortKey, b.sortKey))
  }
}

/**
 * Sorts entries.
 * @param compareKeys compares keys by their UTF-8 bytes; used only if JavaScript's own order can differ.
 */
export function sortEntries(
  entries: readonly Entry[],
  { sort, order }: { sort: ListSort; order: ListOrder },
  compareKeys: (a: string, b: string) => number,
): Entry[] {
  const isPlain = !entries.some((entry) => BEYOND_PLAIN.test(entry.sortKey))
  const compare = comparator(order, isPlain ? compareTexts : compareKeys)
  const marked = entries.map((entry) => ({ entry, ...markOf(entry, sort) }))
  return marked.sort(compare).map(({ entry }) => entry)
}

/** Returns the entries of a sorted list after the position `mark`. */
export function entriesAfter(
  entries: readonly Entry[],
  { sort, order, mark }: { sort: ListSort; order: ListOrder; mark: EntryMark | null },
  compareKeys: (a: string, b: string) => number,
): readonly Entry[] {
  if (mark === null) return entries
  const compare = comparator(order, compareKeys)
  const start = entries.findIndex((entry) => compare(markOf(entry, sort), mark) > 0)
  return start === -1 ? [] : entries.slice(start)
}

const segmentAfter = (path: VirtualPath, base: VirtualPath) => pathBelow(path, base).split('/')[0] ?? ''

const virtualItem = (level: VirtualPath, name: string): VirtualListItem => ({
  name,
  path: `${level === '/' ? '' : level}/${name}/`,
  isDirectory: true,
  isVirtual: true,
})

/**
 * Returns the entries of a folder above mounts. Each entry is a folder that leads to a mount. Above an API key's base
 * path, returns only the folder that leads to the base path.
 */
export function virtualItems(
  actor: PathActor,
  { level, mounts }: { level: VirtualPath; mounts: readonly MountRow[] },
): VirtualListItem[] {
  if (actor.kind === 'key' && !mayRead(actor, level))
    return mounts.length === 0 ? [] : [virtualItem(level, segmentAfter(actor.basicPath, level))]
  const below = mounts
    .map((mount) => mount.mount_path as VirtualPath)
    .filter((path) => path !== level && isAtOrBelow(path, level))
  const names = new Set(below.map((path) => segmentAfter(path, level)))
  return [...names].map((name) => virtualItem(level, name))
}
