import { fsArchiveRoutes } from '@dropleaf/contract'
import { api } from '../../api/api-client.ts'

/** Hands an address to the browser, which downloads by itself. */
export function openDownload(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}

interface Archive {
  /** Those of folders end in a slash. */
  readonly paths: readonly string[]
  /** Without an extension. */
  readonly name: string
}

/** Hands an archive that the server packs to the browser. @throws {ApiError} */
export async function downloadArchive({ paths, name }: Archive): Promise<void> {
  const { data } = await api(fsArchiveRoutes.ticket, { body: { paths: [...paths], name } })
  openDownload(data.url)
}
