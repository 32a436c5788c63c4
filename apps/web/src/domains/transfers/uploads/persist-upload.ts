import { currentOwner } from '../../session/session-owner.ts'
import { forgetSaved, holdUpload, type SavedRecord, saveUpload } from './saved-uploads.ts'
import type { FileUpload } from './upload-store.ts'

const SAVE_EVERY_MS = 1500

type Facts = Omit<SavedRecord, 'id' | 'owner' | 'sentBytes' | 'savedAtMs'>

interface PersistOptions {
  /** The upload was restored, so only new progress extends its expiry. */
  readonly isRestored?: boolean
}

/**
 * Stores what is needed to resume an upload after a reload, from its start on the server to its end.
 * @returns a function that stops this without deleting the record.
 */
export function persistUpload(
  upload: FileUpload,
  facts: Facts,
  { isRestored = false }: PersistOptions = {},
): () => void {
  const owner = currentOwner()
  let kept: { id: string; letGo: () => void; state: string; atMs: number } | null = null
  const drop = () => {
    if (!kept) return
    kept.letGo()
    void forgetSaved(kept.id)
    kept = null
  }
  const look = () => {
    const { id, state, sentBytes } = upload.snapshot()
    const isOver = state === 'completed' || state === 'aborted'
    if (kept && (isOver || kept.id !== id)) drop()
    if (isOver || id === null) return
    const nowMs = Date.now()
    const isDue = !kept || kept.state !== state || nowMs - kept.atMs >= SAVE_EVERY_MS
    if (!isDue) return
    kept = { id, letGo: kept?.letGo ?? holdUpload(id), state, atMs: nowMs }
    void saveUpload({ ...facts, id, owner, sentBytes, savedAtMs: nowMs })
  }
  const { id, state } = upload.snapshot()
  if (isRestored && id !== null) kept = { id, letGo: holdUpload(id), state, atMs: Date.now() }
  const stop = upload.subscribe(look)
  return () => {
    stop()
    kept?.letGo()
  }
}
