import { fileRoutes, type PublicFile } from '@dropleaf/contract'
import { api } from '../../domains/api/api-client.ts'
import type { PreviewSource } from '../../domains/preview/preview-source.ts'
import { bytesUrlOf } from './bytes-url.ts'

/** Returns the source of a share's preview, or `null` if the share is locked. */
export function findSource(file: PublicFile): PreviewSource | null {
  const { previewUrl: url, downloadUrl } = file
  if (!url) return null
  return {
    name: file.filename,
    sizeBytes: file.size,
    mimetype: file.mimetype,
    url,
    textUrl: bytesUrlOf(file) ?? url,
    ...(downloadUrl && { downloadUrl }),
    findPublicUrl: () => findOfficeUrl(file),
  }
}

/**
 * Requests a URL for an online viewer. The request contains the password or the ticket from the URL of the share's
 * bytes.
 */
async function findOfficeUrl({ slug, proxy_download_url: proxyUrl }: PublicFile): Promise<string> {
  const opened = new URL(proxyUrl ?? '', location.href).searchParams
  const [password, ticket] = [opened.get('password'), opened.get('ticket')]
  const query = { ...(password && { password }), ...(ticket && { ticket }) }
  const { url } = await api(fileRoutes.officePreview, { params: { slug }, query })
  return url
}
