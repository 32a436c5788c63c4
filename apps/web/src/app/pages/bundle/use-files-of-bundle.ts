import { useMemo } from 'react'
import type { Opened } from '../../../domains/bundles/bundle-urls.ts'
import type { RelativeFiles } from '../../../domains/markdown/render/relative-links.ts'
import { filesOfBundle } from './files-of-bundle.ts'

export function useFilesOfBundle(
  opened: Opened,
  folder: string,
  open: (path: string) => void,
): RelativeFiles {
  const { slug, ticket } = opened
  return useMemo(() => filesOfBundle({ slug, ticket }, { folder, open }), [slug, ticket, folder, open])
}
