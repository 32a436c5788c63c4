import type { PublicFile } from '@dropleaf/contract'

/**
 * URL of a share's bytes for the preview; `null` if the share is locked. `previewUrl` is the last choice, because for
 * Office files it can point to an online viewer.
 */
export const bytesUrlOf = ({ previewUrl, downloadUrl, proxy_download_url: proxyUrl }: PublicFile) =>
  previewUrl ? (proxyUrl ?? downloadUrl ?? previewUrl) : null
