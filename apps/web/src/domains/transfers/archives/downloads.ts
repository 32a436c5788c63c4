import { fsArchiveRoutes } from '@dropleaf/contract'
import { api } from '../../api/api-client.ts'

/** Lets the browser download a URL. */
export function openDownload(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}

interface Archive {
  /** Folders end in a slash. */
  readonly paths: readonly string[]
  /** Without an extension. */
  readonly name: string
}

/** Lets the browser download an archive that the server packs. @throws {ApiError} */
export async function downloadArchive({ paths, name }: Archive): Promise<void> {
  const { data } = await api(fsArchiveRoutes.ticket, { body: { paths: [...paths], name } })
  openDownload(data.url)
}
