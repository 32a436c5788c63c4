import { BATCH_PATHS_MAX, bundleReadingRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'
import { openDownload } from '../../../domains/transfers/archives/downloads.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { fileUrl, type Opened } from '../../../domains/bundles/bundle-urls.ts'
import type { DecryptedFiles, ShownFiles } from '../sealed/shown-bundle.ts'

/** Whether the server accepts this number of selected items for one archive. */
export const fitsInArchive = (count: number): boolean => count <= BATCH_PATHS_MAX

/**
 * Downloads files and folders as one archive.
 * @param paths empty for the whole bundle
 * @throws {ApiError}
 */
export async function downloadItems(
  { slug, ticket }: Opened,
  { paths, name }: { paths: readonly string[]; name: string | null },
): Promise<void> {
  const body = { ticket, paths: [...paths], name }
  const { data } = await api(bundleReadingRoutes.archive, { params: { slug }, body })
  openDownload(data.url)
}

/** Error codes by status, because the response to a HEAD request has no body. */
const CODES: Readonly<Record<number, string>> = {
  400: 'bundle.item_kind',
  403: 'bundle.ticket_invalid',
  404: 'bundle.item_not_found',
  410: 'bundle.item_gone',
}

function sizeOf(files: DecryptedFiles, path: string): number {
  const size = files.sizeOf(path)
  if (size !== null) return size
  throw new ApiError({ kind: 'http', status: 404, code: 'bundle.item_not_found', message: '' })
}

/**
 * Queries the current size of a file. The size of a referenced file can differ from the manifest, and the file may no
 * longer exist.
 */
export const presentSizeQuery = (opened: ShownFiles, path: string) =>
  queryOptions({
    queryKey: ['bundle-size', opened.slug, opened.ticket, path],
    queryFn: async ({ signal }): Promise<number> => {
      if (opened.decrypted) return sizeOf(opened.decrypted, path)
      const response = await fetch(fileUrl(opened, path), { method: 'HEAD', signal }).catch(
        (cause: unknown) => {
          throw new ApiError({ kind: 'network', code: 'client.network', message: '', cause })
        },
      )
      const { ok, status, headers } = response
      if (ok) return Number(headers.get('Content-Length') ?? 0)
      throw new ApiError({
        kind: 'http',
        status,
        code: CODES[status] ?? 'client.unknown',
        message: `HTTP ${status}`,
      })
    },
    staleTime: 60_000,
    retry: false,
    meta: { isPrivate: true },
  })
