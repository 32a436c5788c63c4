import { fsArchiveRoutes } from '@dropleaf/contract'
import { api } from '../../api/api-client.ts'

/** Makes the browser download a URL. */
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
 * Makes the browser download an archive that the server creates.
 * @throws {ApiError}
 */
export async function downloadArchive({ paths, name }: Archive): Promise<void> {
  const { data } = await api(fsArchiveRoutes.ticket, { body: { paths: [...paths], name } })
  openDownload(data.url)
}
