import { isSavedAlive } from '@dropleaf/uploader'
import type { FileFacts, UploadEntry } from './upload-store.ts'

/** An upload that a reload loses: not started, or not resumable. */
export interface UnsentUpload {
  readonly kind: 'mount' | 'share'
  /** Empty for shares. */
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

/** Whether the bytes are still wanted, and neither the server nor the stored uploads have them. */
export const isUnsent = ({ batch, state, isWaiting, canContinue, id }: UploadEntry): boolean =>
  batch.page !== 'url' &&
  (isWaiting || ['idle', 'uploading', 'paused'].includes(state)) &&
  !(canContinue && id !== null)

/** Stores their names for the next page of this tab: the user has to choose the files again. */
export function storeUnsent(owner: string, list: readonly UnsentUpload[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ owner, savedAtMs: Date.now(), list } satisfies Kept))
  } catch {
    // Without storage the browser has asked before the page was closed.
  }
}

/** Returns what an earlier page of this tab stored for its owner, and deletes it. */
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
