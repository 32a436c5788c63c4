import type { SealedSource } from '@dropleaf/seal'
import type { PreviewBytes } from '../../preview/preview-source.ts'
import { toPreviewError } from './sealed-fault.ts'

/** Small enough to come from the cache of the source, so that reading a head twice fetches it once. */
const CACHED_BYTES = 1024 * 1024

/** Decrypted bytes for the previews, with the errors that the previews have texts for. */
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
