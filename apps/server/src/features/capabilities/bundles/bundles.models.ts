import {
  BUNDLE_REVISIONS_MAX,
  BUNDLE_REVISIONS_MAX_BYTES,
  BUNDLE_TICKET_SECONDS,
  bundleErrors,
  type ErrorSpec,
} from '@dropleaf/contract'
import { searchText } from '../../../lib/search-text.ts'
import type { BundleRevisionRow, BundleRow } from './bundles.table.ts'
import type { StoredManifest } from './manifest.models.ts'

export const bundlePasswordContext = (id: string): string => `bundle-password:${id}`

type Lifetime = Pick<BundleRow, 'expires_at_ms' | 'max_views' | 'views' | 'purged_at_ms'>

export const hasExpired = (row: Lifetime, nowMs: number): boolean =>
  row.purged_at_ms !== null || (row.expires_at_ms !== null && row.expires_at_ms <= nowMs)

const isUsedUp = (row: Lifetime): boolean => row.max_views !== null && row.views >= row.max_views

/** Returns the error if a bundle has expired or is used up, otherwise `null`. */
export function findEnd(row: Lifetime, nowMs: number): ErrorSpec | null {
  if (isUsedUp(row)) return bundleErrors.used_up
  return hasExpired(row, nowMs) ? bundleErrors.expired : null
}

export type MeasuredRevision = Pick<
  BundleRevisionRow,
  'revision' | 'manifest_bytes' | 'objects' | 'replaced_at_ms'
>

/**
 * Returns the revisions that exceed the limits and that no ticket can read any more.
 * @param revisions newest first
 */
export function revisionsToPrune(
  revisions: readonly MeasuredRevision[],
  nowMs: number,
): readonly MeasuredRevision[] {
  const readUntilMs = nowMs - BUNDLE_TICKET_SECONDS * 1000
  let bytes = 0
  return revisions.filter(({ manifest_bytes, replaced_at_ms }, index) => {
    bytes += manifest_bytes
    const isBeyond = index >= BUNDLE_REVISIONS_MAX || bytes > BUNDLE_REVISIONS_MAX_BYTES
    return isBeyond && replaced_at_ms !== null && replaced_at_ms <= readUntilMs
  })
}

const parseNumbers = (objects: string): number[] => JSON.parse(objects) as number[]

/** Returns the numbers of the objects that at least one of the revisions uses. */
export const numbersIn = (revisions: ReadonlyArray<{ readonly objects: string }>): ReadonlySet<number> =>
  new Set(revisions.flatMap(({ objects }) => parseNumbers(objects)))

const SEARCHED_PAGE_CHARACTERS = 500

/**
 * Returns the text that the owner's search covers: the remark, the title, the start of the page, and the paths of the
 * items.
 */
export function bundleSearchText(remark: string | null, manifest: StoredManifest | null): string {
  if (manifest === null) return searchText(remark, '')
  const page = manifest.page?.text.slice(0, SEARCHED_PAGE_CHARACTERS) ?? ''
  return searchText(
    remark,
    [manifest.title ?? '', page, ...manifest.items.map(({ path }) => path)].join('\n'),
  )
}
