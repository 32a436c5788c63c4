import type { SealedSource } from '@dropleaf/seal'
import type { PreviewBytes } from '../../preview/preview-source.ts'
import { toPreviewError } from './sealed-fault.ts'

/** Reads up to this size use the cache of the source, so that reading the start of a file twice sends one request. */
const CACHED_BYTES = 1024 * 1024

/** Returns decrypted bytes for the previews. Converts errors to those for which the previews have texts. */
export function previewBytes(source: SealedSource): PreviewBytes {
  const read: PreviewBytes['read'] = async (offset, length, signal) => {
    try {
      return await source.read(offset, length, signal)
    } catch (error) {
      throw toPreviewError(error)
    }
  }
  return {
    size: source.size,
    read,
    async *stream({ offset, length }, signal) {
      if (length <= CACHED_BYTES) {
        yield await read(offset, length, signal)
        return
      }
      try {
        yield* source.stream({ offset, length }, signal)
      } catch (error) {
        throw toPreviewError(error)
      }
    },
  }
}
