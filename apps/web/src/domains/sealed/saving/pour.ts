import type { Bytes } from '@dropleaf/seal'
import type { SaveTarget } from './save-targets.ts'

/** Contents to save, decrypted and verified piece by piece. */
export interface SaveContents {
  readonly name: string
  /** The exact size, or an estimate for an archive. */
  readonly sizeBytes: number
  readonly isSizeExact: boolean
  /**
   * Identifies the contents across reloads, so that an interrupted download can resume; `null` if it cannot resume.
   */
  readonly resumeKey: string | null
  /** Yields pieces that the consumer may transfer. */
  readonly stream: (offset: number, signal: AbortSignal) => AsyncIterable<Bytes>
}

/**
 * Thrown if the contents end without an error but do not have the expected size. The app must not save them as a
 * complete file.
 */
export class IncompleteError extends Error {
  override readonly name = 'IncompleteError'
}

/**
 * Writes all contents, then finishes the target. If anything fails, discards the target, so that a truncated file
 * never looks complete.
 */
export async function pour({
  contents,
  target,
  signal,
  onBytes,
}: {
  readonly contents: SaveContents
  readonly target: SaveTarget
  readonly signal: AbortSignal
  readonly onBytes: (doneBytes: number) => void
}): Promise<void> {
  let doneBytes = target.startBytes
  try {
    for await (const piece of contents.stream(target.startBytes, signal)) {
      doneBytes += piece.length
      await target.write(piece)
      onBytes(doneBytes)
    }
    signal.throwIfAborted()
    if (contents.isSizeExact && doneBytes !== contents.sizeBytes) throw new IncompleteError()
    await target.finish()
  } catch (error) {
    await target.discard()
    throw error
  }
}
