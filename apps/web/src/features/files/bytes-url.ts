import type { PublicFile } from '@dropleaf/contract'

/** Where the bytes of a share are read for its preview. That of a preview may lead to an online service for Office files. */
export const bytesUrlOf = ({ previewUrl, downloadUrl, proxy_download_url: proxyUrl }: PublicFile) =>
  previewUrl ? (proxyUrl ?? downloadUrl ?? previewUrl) : null
