import { isTextual } from '../../../lib/text/text-detection.ts'
import { kindOfBytes } from '../kinds/magic-bytes.ts'
import { readRange, unlessUnread } from '../reading/byte-source.ts'
import { isCut } from '../truncation/find-truncation.ts'
import { blamingFile, PreviewError, type PreviewFault } from '../preview-error.ts'
import type { PreviewSource } from '../preview-source.ts'

const NETWORK = 2
const DECODE = 3
const PLAYED = new Set([null, 'audio', 'video'])
const HEAD_BYTES = 4096

/**
 * Examines a recording, because browsers report the same error for unsupported, invalid and incomplete recordings.
 */
async function lookCloser(source: PreviewSource): Promise<PreviewFault> {
  const { signal } = new AbortController()
  const head = await readRange(source, { firstByte: 0, lastByte: HEAD_BYTES - 1, signal })
  const isOther = isTextual(head, source.sizeBytes > head.length) || !PLAYED.has(kindOfBytes(head))
  if (isOther) return 'damaged'
  return (await isCut(source, signal)) ? 'media_damaged' : 'media_format'
}

/**
 * Finds out why a recording does not play. The browser's error codes are 2 (network), 3 (decoding) and 4
 * (unsupported). Codes 2 and 4 need further checks.
 */
export async function findMediaFault(media: HTMLMediaElement, source: PreviewSource): Promise<Error> {
  const { code, message } = media.error ?? {}
  if (code === DECODE) return new PreviewError('media_damaged', message)
  // The connection failed, or the file is shorter than its declared size.
  if (code === NETWORK) return unlessUnread(source, new PreviewError('media_damaged', message))
  try {
    return new PreviewError(await blamingFile(() => lookCloser(source)), message)
  } catch (error) {
    // The file could not be read at all. The read error is then more useful than the error of the player.
    return error instanceof Error ? error : new PreviewError('media_format', error)
  }
}
