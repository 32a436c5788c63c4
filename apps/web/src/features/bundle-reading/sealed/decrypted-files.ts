import { MIB } from '@dropleaf/contract'
import { type ManifestItem, toBase64url } from '@dropleaf/seal'
import type { PreviewSource } from '../../../domains/preview/preview-source.ts'
import { shownType } from '../../../domains/sealed/media/media-types.ts'
import { createFileUrls } from '../../../domains/sealed/media/file-urls.ts'
import { previewBytes } from '../../../domains/sealed/reading/preview-bytes.ts'
import type { SealedReading } from '../../../domains/sealed/reading/sealed-reading.ts'
import { readWhole } from '../../../domains/sealed/reading/sealed-reading.ts'
import { archiveOf, encryptedCopyOf, fileOf } from '../../../domains/sealed/saving/contents.ts'
import { saveContents } from '../../../domains/sealed/saving/save.ts'
import type { DecryptedFiles, DecryptedThumbnail } from './shown-bundle.ts'

/** Up to this size, a picture without a separate thumbnail is used as its own thumbnail. */
const OWN_THUMBNAIL_MAX_BYTES = 4 * MIB

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

const isIn = (path: string, wanted: readonly string[]) =>
  wanted.length === 0 || wanted.some((one) => path === one || path.startsWith(`${one}/`))

/** Provides the files of an encrypted bundle to its page. `close` frees the decrypted pictures. */
export function createDecryptedFiles(
  reading: SealedReading,
  { secret, title }: { readonly secret: Uint8Array; readonly title: string },
): DecryptedFiles & { readonly close: () => void } {
  const { items } = reading.manifest
  const urls = createFileUrls(reading)
  /** Returns a key for caches of the page. The key identifies a file, but does not contain its name. */
  const keyOf = (item: ManifestItem) =>
    `sealed:${reading.bundleId}:${reading.revision}:${items.indexOf(item)}`
  const get = (path: string): ManifestItem => {
    const item = reading.find(path)
    if (!item) throw new Error('The bundle has no such file.')
    return item
  }
  function previewOf(path: string): PreviewSource {
    const item = get(path)
    const folder = path.slice(0, path.length - nameOf(path).length)
    return {
      name: nameOf(path),
      sizeBytes: item.size,
      mimetype: item.type,
      url: '',
      textUrl: keyOf(item),
      bytes: previewBytes(reading.open(item)),
      findUrl: (use) => urls.find(item, use),
      onDownload: () => void save([path], null),
      folder: {
        names: items.flatMap((one) =>
          one.path.startsWith(folder) && !one.path.slice(folder.length).includes('/')
            ? [nameOf(one.path)]
            : [],
        ),
        find: (below) => {
          const found = reading.find(`${folder}${below}`)
          return found ? { textUrl: keyOf(found), bytes: previewBytes(reading.open(found)) } : null
        },
      },
    }
  }
  function thumbnailOf(path: string): DecryptedThumbnail | null {
    const item = reading.find(path)
    const picture = item?.thumb ?? (item && item.size <= OWN_THUMBNAIL_MAX_BYTES ? item : null)
    if (!item || !picture) return null
    const type = item.thumb ? 'image/webp' : shownType(item)
    return {
      key: `${keyOf(item)}:thumbnail`,
      load: async () => new Blob([await readWhole(reading.open(picture))], { type }),
    }
  }
  async function save(paths: readonly string[], name: string | null): Promise<void> {
    const [only = ''] = paths
    const item = paths.length === 1 ? reading.find(only) : undefined
    if (item) return saveContents(await fileOf(reading, item))
    const wanted = items.filter(({ path }) => isIn(path, paths))
    const folder = paths.length === 1 ? only : ''
    return saveContents(
      archiveOf(reading, { items: wanted, folder, name: name ?? (nameOf(folder) || title) }),
    )
  }
  return {
    linkKey: toBase64url(secret),
    sizeOf: (path) => reading.find(path)?.size ?? null,
    previewOf,
    thumbnailOf,
    urlOf: (path) => urls.find(get(path), 'picture'),
    save,
    saveEncrypted: () => saveContents(encryptedCopyOf(reading, title)),
    close: urls.close,
  }
}
