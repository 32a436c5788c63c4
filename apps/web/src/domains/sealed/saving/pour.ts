import type { Bytes } from '@dropleaf/seal'
import type { SaveTarget } from './save-targets.ts'

/** What is saved, decrypted and verified piece by piece. */
export interface SaveContents {
  readonly name: string
  /** Exact, or an estimate for an archive. */
  readonly sizeBytes: number
  readonly isSizeExact: boolean
  /** Names the contents across reloads, to continue an interrupted attempt; `null` if they cannot be continued. */
  readonly resumeKey: string | null
  readonly stream: (offset: number, signal: AbortSignal) => AsyncIterable<Bytes>
}

/** The contents ended early without an error, which no reader of this app may pass on as a whole file. */
export class IncompleteError extends Error {
  override readonly name = 'IncompleteError'
}

/**
 * Writes all of the contents, then finishes the target. Discards it instead if anything fails, so that a cut file never
 * looks whole.
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
      await target.write(piece)
      doneBytes += piece.length
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
