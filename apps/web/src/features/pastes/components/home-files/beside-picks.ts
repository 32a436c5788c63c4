import type { RelativeFiles } from '../../../../domains/markdown/render/relative-links.ts'
import { objectUrlOf, plainPath } from '../../../../domains/bundles/chosen-files.ts'
import { ApiError } from '../../../../lib/api-error.ts'
import type { HomePick } from '../../../../domains/bundles/home-bundles.ts'

/** Lets the preview show pictures that are not uploaded yet. */
export const besideOf = (chosen: readonly HomePick[]): RelativeFiles => ({
  pageOf: () => null,
  open: () => undefined,
  findBytes: async (address) => {
    const pick = chosen.find(({ path }) => path === plainPath(address))
    if (!pick) throw new ApiError({ kind: 'http', code: 'fs.not_found', message: '' })
    return objectUrlOf(pick.picked.file)
  },
})
