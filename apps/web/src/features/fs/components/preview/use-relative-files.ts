import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ApiError } from '../../../../lib/api-error.ts'
import { hrefOf } from '../../../../lib/browser/base-path.ts'
import { type RelativeFiles, resolvePath } from '../../../../domains/markdown/render/relative-links.ts'
import { paths } from '../../../../lib/paths.ts'
import { fsQueries } from '../../api/fs.queries.ts'
import { isWithin, nameOfPath, parentOf } from '../../models/fs-paths.ts'
import type { ExplorerAddress } from '../use-address.ts'

/** Resolves relative URLs in a text against the open folder. */
export function useRelativeFiles({ path: folder, open }: ExplorerAddress, base: string): RelativeFiles {
  const client = useQueryClient()
  return useMemo(() => {
    const pathOf = (address: string) => {
      const path = resolvePath(folder, address)
      return path !== null && isWithin(path, base) ? path : null
    }
    return {
      pageOf: (address) => {
        const path = pathOf(address)
        if (path === null) return null
        const isFolder = path.endsWith('/')
        return hrefOf(isFolder ? paths.explorer(path) : paths.explorer(parentOf(path), nameOfPath(path)))
      },
      open: (address) => {
        const path = pathOf(address)
        if (path !== null) open(path)
      },
      findBytes: async (address) => {
        const path = pathOf(address)
        const found = path === null ? null : (await client.ensureQueryData(fsQueries.entry(path, ''))).data
        if (found?.preview_url) return found.preview_url
        throw new ApiError({ kind: 'http', code: 'fs.not_found', message: '' })
      },
    }
  }, [folder, open, base, client])
}
