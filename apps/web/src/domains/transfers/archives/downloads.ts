import { fsArchiveRoutes } from '@dropleaf/contract'
import { api } from '../../api/api-client.ts'

/** Downloads a URL with the browser. */
export function openDownload(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}

interface Archive {
  /** Paths of the items. Folders end with a slash. */
  readonly paths: readonly string[]
  /** Name without extension. */
  readonly name: string
}

/**
 * Downloads an archive that the server creates.
 * @throws {ApiError}
 */
export async function downloadArchive({ paths, name }: Archive): Promise<void> {
  const { data } = await api(fsArchiveRoutes.ticket, { body: { paths: [...paths], name } })
  openDownload(data.url)
}
