import { useMemo } from 'react'
import { objectUrlOf, plainPath } from '../../../domains/bundles/chosen-files.ts'
import type { RelativeFiles } from '../../../domains/markdown/render/relative-links.ts'
import { ApiError } from '../../../lib/api-error.ts'
import type { BundleEdit } from './use-bundle-edit.ts'

/** Lets the preview of the text show files of the bundle, including files that are not published yet. */
export function useEditedFiles({ access, items, files }: BundleEdit): RelativeFiles {
  return useMemo(
    () => ({
      pageOf: () => null,
      open: () => undefined,
      findBytes: async (address) => {
        const path = plainPath(address)
        const item = items.find((one) => one.path === path)
        const file = files.get(item?.upload ?? '')
        if (file) return objectUrlOf(file)
        // A renamed item has its former path in the published revision.
        const published = access.published?.items.find(
          ({ source }) => JSON.stringify(source) === JSON.stringify(item?.source),
        )
        if (!published) throw new ApiError({ kind: 'http', code: 'bundle.item_not_found', message: '' })
        return access.urlOf(published)
      },
    }),
    [access, items, files],
  )
}
