import { MIB } from '@dropleaf/contract'
import type { ManifestItem } from '@dropleaf/seal'
import { PreviewError } from '../../preview/preview-error.ts'
import type { UrlUse } from '../../preview/preview-source.ts'
import { toPreviewError } from '../reading/sealed-fault.ts'
import type { SealedReading } from '../reading/sealed-reading.ts'
import { readWhole } from '../reading/sealed-reading.ts'
import { shownType } from './media-types.ts'
import { openVirtual, type VirtualFile } from './virtual-files.ts'

/** Maximum size of a blob. A larger blob could crash the tab. */
const BLOB_MAX_BYTES = 256 * MIB
/** Recordings up to this size are loaded as a blob, so that they start without the service worker. */
const SMALL_BYTES = 2 * MIB

/**
 * Creates URLs for elements of the page. If there is a service worker, large recordings are loaded by range through it.
 * Everything else is a blob. The URLs are valid until `close`.
 */
export function createFileUrls(reading: SealedReading) {
  const blobs = new Map<ManifestItem, Promise<string>>()
  const made: string[] = []
  const virtual = new Map<ManifestItem, Promise<VirtualFile | null>>()
  let isClosed = false
  async function blobUrl(item: ManifestItem): Promise<string> {
    if (item.size > BLOB_MAX_BYTES) throw new PreviewError('too_large')
    const bytes = await readWhole(reading.open(item)).catch((error: unknown) => {
      throw toPreviewError(error)
    })
    const url = URL.createObjectURL(new Blob([bytes], { type: shownType(item) }))
    if (isClosed) URL.revokeObjectURL(url)
    else made.push(url)
    return url
  }
  function findBlob(item: ManifestItem): Promise<string> {
    const known = blobs.get(item)
    if (known) return known
    const url = blobUrl(item)
    blobs.set(item, url)
    url.catch(() => blobs.delete(item))
    return url
  }
  async function find(item: ManifestItem, use: UrlUse): Promise<string> {
    if (use === 'picture' || item.size <= SMALL_BYTES) return findBlob(item)
    const opening = virtual.get(item) ?? openVirtual({ type: shownType(item), source: reading.open(item) })
    virtual.set(item, opening)
    const file = await opening
    if (isClosed) file?.close()
    return file?.url ?? findBlob(item)
  }
  return {
    /** @throws {PreviewError} `too_large`, `tampered` @throws {ApiError} */
    find,
    close: () => {
      isClosed = true
      for (const url of made) URL.revokeObjectURL(url)
      for (const file of virtual.values()) void file.then((opened) => opened?.close())
    },
  }
}
