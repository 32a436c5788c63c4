import { statusOf } from '../transfers/uploads/upload-status.ts'
import type { FileFacts, UploadEntry } from '../transfers/uploads/upload-store.ts'
import type { BundleOrigin } from './saved-bundles.ts'

export type BundleState =
  | 'starting'
  | 'uploading'
  | 'paused'
  /** The user must choose files again after a reload. */
  | 'needsFiles'
  /** Some files could not be uploaded. */
  | 'stuck'
  | 'publishing'
  /** The bundle could not be created or published. */
  | 'failed'
  | 'published'

/** A file of a bundle, with the facts that its row shows. */
export interface ItemView {
  readonly n: number
  readonly path: string
  readonly file: FileFacts
  readonly isStored: boolean
  /** `null` before the upload is added to the list of uploads, and after it is removed. */
  readonly entry: UploadEntry | null
}

export interface BundleSnapshot {
  readonly key: string
  readonly at: BundleOrigin
  readonly state: BundleState
  readonly title: string | null
  readonly slug: string | null
  readonly hasPage: boolean
  /** Whether the bundle is end-to-end encrypted. */
  readonly isSealed: boolean
  /** Link key: the part of the link after `#`, which opens an encrypted bundle. `null` until the key exists. */
  readonly linkKey: string | null
  /** Why the bundle could not be created or published. */
  readonly error: unknown
  readonly items: readonly ItemView[]
  readonly doneCount: number
  readonly sizeBytes: number
  readonly sentBytes: number
  readonly bytesPerSecond: number | null
}

export const isFailedItem = ({ isStored, entry }: ItemView): boolean =>
  !isStored && (entry === null || ['failed', 'cancelled'].includes(statusOf(entry)))

export const needsFile = ({ isStored, entry }: ItemView): boolean =>
  !isStored && entry !== null && statusOf(entry) === 'needsFile'

const isPausedItem = ({ isStored, entry }: ItemView) =>
  !isStored && entry !== null && statusOf(entry) === 'paused'

/** Returns the combined state of the uploads of a bundle. */
export function stateOfItems(items: readonly ItemView[]): BundleState {
  const missing = items.filter(({ isStored }) => !isStored)
  const halted = missing.filter((item) => isFailedItem(item) || needsFile(item) || isPausedItem(item))
  if (halted.length < missing.length) return 'uploading'
  if (missing.some(needsFile)) return 'needsFiles'
  if (missing.some(isPausedItem)) return 'paused'
  return missing.length > 0 ? 'stuck' : 'publishing'
}

/** Whether the bundle waits for the user or is published. */
export const hasHalted = ({ state }: Pick<BundleSnapshot, 'state'>): boolean =>
  !['starting', 'uploading', 'publishing'].includes(state)

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

export function totalsOf(items: readonly ItemView[]) {
  const rates = items.map(({ entry }) => entry?.bytesPerSecond ?? null).filter((rate) => rate !== null)
  return {
    doneCount: items.filter(({ isStored }) => isStored).length,
    sizeBytes: sum(items.map(({ file }) => file.size)),
    sentBytes: sum(
      items.map(({ isStored, file, entry }) => (isStored ? file.size : (entry?.sentBytes ?? 0))),
    ),
    bytesPerSecond: rates.length === 0 ? null : sum(rates),
  }
}

/**
 * Maximum progress while a file is missing. Without this limit, rounding could show 100% before a small last file is
 * sent.
 */
const ALMOST_ALL = 0.99

/** Returns the progress of a bundle from 0 to 1. If all files are empty, counts completed files instead of bytes. */
export function shareOfBundle({ sizeBytes, sentBytes, doneCount, items }: BundleSnapshot): number {
  const share = sizeBytes > 0 ? sentBytes / sizeBytes : doneCount / Math.max(1, items.length)
  return doneCount < items.length ? Math.min(share, ALMOST_ALL) : share
}
