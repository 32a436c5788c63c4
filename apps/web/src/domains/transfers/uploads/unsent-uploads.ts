import { isSavedAlive } from '@dropleaf/uploader'
import type { FileFacts, UploadEntry } from './upload-store.ts'

/** An upload that is lost with a reload: it has not started, or cannot be resumed. */
export interface UnsentUpload {
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

/** Whether the bytes are still wanted, and neither the server nor the list of saved uploads knows of them. */
export const isUnsent = ({ batch, state, isWaiting, canContinue, id }: UploadEntry): boolean =>
  batch.kind === 'mount' &&
  (isWaiting || ['idle', 'uploading', 'paused'].includes(state)) &&
  !(canContinue && id !== null)

/** Keeps them for the next page of this tab. Only their names: the files have to be chosen again. */
export function keepUnsent(owner: string, list: readonly UnsentUpload[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ owner, savedAtMs: Date.now(), list } satisfies Kept))
  } catch {
    // A tab that keeps nothing has asked before it was left.
  }
}

/** What an earlier page of this tab kept for its owner. It is kept no longer. */
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
