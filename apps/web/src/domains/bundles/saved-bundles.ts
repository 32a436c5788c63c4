import { BUNDLE_DRAFT_SECONDS, type ManifestInput } from '@dropleaf/contract'
import { createBrowserTable } from '../../lib/browser/indexed-db-table.ts'
import type { FileFacts } from '../transfers/uploads/upload-store.ts'
import type { BundlePlace } from './bundle-transports.ts'

/** A file of an unfinished bundle. */
export interface SavedItem {
  readonly n: number
  readonly path: string
  readonly file: FileFacts
  readonly isStored: boolean
  readonly sentBytes: number
  /** Absent if unknown. */
  readonly fingerprint?: string
  readonly handle?: FileSystemFileHandle
}

export interface BundleContent {
  readonly title: string | null
  readonly page: ManifestInput['page']
}

/** An unfinished bundle that can be resumed after a reload. Its options are only on the server. */
export interface SavedBundle {
  readonly id: string
  /** The user who can resume the bundle. */
  readonly owner: string
  readonly at: BundleOrigin
  readonly slug: string
  readonly place: BundlePlace
  readonly content: BundleContent
  readonly items: readonly SavedItem[]
  readonly savedAtMs: number
}

/** Page on which a bundle is created. */
export type BundleOrigin = 'upload' | 'home'

const table = createBrowserTable<SavedBundle>({
  database: 'dropleaf-bundles',
  table: 'bundles',
  keyPath: 'id',
})

// Ignores errors, because only resuming after a reload needs the record.
export const saveBundle = (record: SavedBundle): Promise<void> => table.put(record).catch(() => undefined)

export const forgetBundle = (id: string): Promise<void> => table.remove(id).catch(() => undefined)

/** Whether the draft can still exist: the server deletes drafts that have not changed for `BUNDLE_DRAFT_SECONDS`. */
const isAlive = ({ savedAtMs }: SavedBundle, nowMs: number) => nowMs - savedAtMs < BUNDLE_DRAFT_SECONDS * 1000

/** Lists the unfinished bundles of an owner, oldest first, and deletes expired ones of all owners. */
export async function listSavedBundles(owner: string, nowMs = Date.now()): Promise<SavedBundle[]> {
  const all = await table.getAll().catch(() => [])
  for (const { id } of all.filter((record) => !isAlive(record, nowMs))) await forgetBundle(id)
  return all
    .filter((record) => record.owner === owner && isAlive(record, nowMs))
    .sort((a, b) => a.savedAtMs - b.savedAtMs)
}
