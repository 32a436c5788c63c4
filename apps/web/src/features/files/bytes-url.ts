import type { PublicFile } from '@dropleaf/contract'

/** URL of a share's bytes for its preview. `previewUrl` may lead to an online service for Office files. */
export const bytesUrlOf = ({ previewUrl, downloadUrl, proxy_download_url: proxyUrl }: PublicFile) =>
  previewUrl ? (proxyUrl ?? downloadUrl ?? previewUrl) : null
