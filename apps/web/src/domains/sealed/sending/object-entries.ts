import { SealError } from '@dropleaf/seal'
import { i18n } from '../../../i18n/i18n.ts'
import type { UploadEntry } from '../../transfers/uploads/upload-store.ts'
import type { Piece } from './pieces.ts'

/** Whether the object must be sent again from the start, with another key. */
export function isSpoilt({ state, error }: UploadEntry): boolean {
  if (state !== 'failed' || error === null) return false
  const { code, cause } = error
  return (
    code === 'upload.source_changed' ||
    (cause instanceof SealError && ['part.too_many_attempts', 'source.changed'].includes(cause.code))
  )
}

/**
 * Returns the entry of one piece. If several pieces share an upload, only the first piece has a speed, so that totals
 * count the upload once.
 */
export const entryOfPiece = (
  entry: UploadEntry,
  { file, bytes, offset }: Piece,
  isFirst: boolean,
): UploadEntry => ({
  ...entry,
  hasSource: bytes !== null,
  sizeBytes: file.size,
  sentBytes: Math.min(file.size, Math.max(0, entry.sentBytes - offset)),
  bytesPerSecond: isFirst ? entry.bytesPerSecond : null,
})

/** Returns the name of an object that contains several pieces or the text. */
export function nameOfPack(pieces: readonly Piece[]): string {
  const count = pieces.filter(({ path }) => path !== null).length
  return count === 0 ? i18n.t('sealing.text') : i18n.t('sealing.pack', { count })
}
