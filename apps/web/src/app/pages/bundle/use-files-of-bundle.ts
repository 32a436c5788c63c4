import { useMemo } from 'react'
import type { ShownFiles } from '../../../features/bundle-reading/sealed/shown-bundle.ts'
import type { RelativeFiles } from '../../../domains/markdown/render/relative-links.ts'
import { filesOfBundle } from './files-of-bundle.ts'

export function useFilesOfBundle(
  opened: ShownFiles,
  folder: string,
  open: (path: string) => void,
): RelativeFiles {
  const { slug, ticket, decrypted } = opened
  return useMemo(
    () => filesOfBundle({ slug, ticket, ...(decrypted && { decrypted }) }, { folder, open }),
    [slug, ticket, decrypted, folder, open],
  )
}
