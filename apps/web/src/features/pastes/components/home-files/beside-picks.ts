import type { RelativeFiles } from '../../../../domains/markdown/render/relative-links.ts'
import { ApiError } from '../../../../lib/api-error.ts'
import type { HomePick } from '../../../../domains/bundles/home-bundles.ts'

/** Object URLs of chosen files. The URL of a file stays valid while the tab holds the file. */
const urls = new WeakMap<File, string>()

function urlOf(file: File): string {
  const url = urls.get(file) ?? URL.createObjectURL(file)
  urls.set(file, url)
  return url
}

const plainPath = (address: string): string => {
  try {
    return decodeURIComponent(address.replace(/[?#].*$/s, '').replace(/^\.\//, ''))
  } catch {
    return address
  }
}

/** Lets the preview show pictures that are not uploaded yet. */
export const besideOf = (chosen: readonly HomePick[]): RelativeFiles => ({
  pageOf: () => null,
  open: () => undefined,
  findBytes: async (address) => {
    const pick = chosen.find(({ path }) => path === plainPath(address))
    if (!pick) throw new ApiError({ kind: 'http', code: 'fs.not_found', message: '' })
    return urlOf(pick.picked.file)
  },
})
