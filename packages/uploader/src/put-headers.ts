const BACKBLAZE = 'Backblaze B2'
const BACKBLAZE_HOST = /(?:^|\.)backblazeb2\.com$/

interface PutTarget {
  readonly url: string
  readonly contentType: string
  /** Provider type of the storage, if the server sent it. */
  readonly providerType?: string
}

/**
 * Returns the headers for a PUT of a file or of a part to a signed URL. Backblaze B2 requires a checksum, or a value
 * that declares that there is no checksum.
 */
export function putHeaders({ url, contentType, providerType }: PutTarget): Record<string, string> {
  const isBackblaze = providerType === BACKBLAZE || BACKBLAZE_HOST.test(URL.parse(url)?.hostname ?? '')
  return {
    'Content-Type': contentType,
    ...(isBackblaze && {
      'X-Bz-Content-Sha1': 'do_not_verify',
      'X-Requested-With': 'XMLHttpRequest',
    }),
  }
}
