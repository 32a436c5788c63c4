import { currentOwner } from '../../session/session-owner.ts'
import { forgetSaved, holdUpload, type SavedRecord, saveUpload } from './saved-uploads.ts'
import type { FileUpload } from './upload-store.ts'

const SAVE_EVERY_MS = 1500

type Facts = Omit<SavedRecord, 'id' | 'owner' | 'sentBytes' | 'savedAtMs'>

interface PersistOptions {
  /**
   * Whether the upload was restored after a reload. Its record already exists, so the record is not stored again at
   * the start.
   */
  readonly isRestored?: boolean
}

/**
 * Stores the record that is needed to resume an upload after a reload. Deletes the record when the upload is completed
 * or aborted.
 * @returns a function that stops storing, but does not delete the record
 */
export function persistUpload(
  upload: FileUpload,
  facts: Facts,
  { isRestored = false }: PersistOptions = {},
): () => void {
  const owner = currentOwner()
  let kept: { id: string; letGo: () => void; state: string; print: string | null; atMs: number } | null = null
  const drop = () => {
    if (!kept) return
    kept.letGo()
    void forgetSaved(kept.id)
    kept = null
  }
  const look = () => {
    const { id, state, sentBytes, fingerprint: print } = upload.snapshot()
    const isOver = state === 'completed' || state === 'aborted'
    if (kept && (isOver || kept.id !== id)) drop()
    if (isOver || id === null) return
    const nowMs = Date.now()
    const isDue = !kept || kept.state !== state || kept.print !== print || nowMs - kept.atMs >= SAVE_EVERY_MS
    if (!isDue) return
    kept = { id, letGo: kept?.letGo ?? holdUpload(id), state, print, atMs: nowMs }
    void saveUpload({
      ...facts,
      id,
      owner,
      sentBytes,
      savedAtMs: nowMs,
      ...(print !== null && { fingerprint: print }),
    })
  }
  const { id, state, fingerprint: print } = upload.snapshot()
  if (isRestored && id !== null) kept = { id, letGo: holdUpload(id), state, print, atMs: Date.now() }
  const stop = upload.subscribe(look)
  return () => {
    stop()
    kept?.letGo()
  }
}
