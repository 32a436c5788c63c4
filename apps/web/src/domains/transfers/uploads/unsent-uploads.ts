import { isSavedAlive } from '@dropleaf/uploader'
import type { FileFacts, UploadEntry } from './upload-store.ts'

/** An upload that a reload would lose, because it has not started or cannot be resumed. */
export interface UnsentUpload {
  readonly kind: 'mount' | 'share'
  /** For shares, the folder in which the file was chosen, or blank. */
  readonly directory: string
  readonly name: string
  readonly file: FileFacts
}

interface Kept {
  readonly owner: string
  readonly savedAtMs: number
  readonly list: readonly UnsentUpload[]
}

const KEY = 'dropleaf_unsent_uploads'

/**
 * Whether a reload would lose an unfinished upload. Files from a URL are excluded, because they cannot be chosen again.
 */
export const isUnsent = ({ batch, state, isWaiting, canContinue, id }: UploadEntry): boolean =>
  batch.page !== 'url' &&
  (isWaiting || ['idle', 'uploading', 'paused'].includes(state)) &&
  !(canContinue && id !== null)

/** Stores the names of the files in this tab. After the reload, the user has to choose these files again. */
export function storeUnsent(owner: string, list: readonly UnsentUpload[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ owner, savedAtMs: Date.now(), list } satisfies Kept))
  } catch {
    // The browser blocks the storage, or it is full. After the reload, the page then does not ask for these files.
  }
}

/** Returns and deletes the uploads that an earlier page in this tab stored for the owner. */
export function takeUnsent(owner: string): readonly UnsentUpload[] {
  try {
    const text = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    if (text === null) return []
    const kept = JSON.parse(text) as Kept
    return kept.owner === owner && isSavedAlive(kept, Date.now()) ? kept.list : []
  } catch {
    return []
  }
}
