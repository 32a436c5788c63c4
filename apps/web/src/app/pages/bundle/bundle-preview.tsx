import type { ShownBundle, ShownFiles } from '../../../features/bundle-reading/sealed/shown-bundle.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { presentSizeQuery } from '../../../features/bundle-reading/api/bundle-files.ts'
import { downloadUrl, fileUrl } from '../../../domains/bundles/bundle-urls.ts'
import { itemPathOf } from '../../../features/bundle-reading/models/bundle-place.ts'
import { useFolderScreen } from '../../../features/fs/components/explorer-context.ts'
import { PreviewBar } from '../../../features/fs/components/preview/preview-bar.tsx'
import { ShownFile } from '../../../features/fs/components/preview/preview-body.tsx'
import { PreviewCover } from '../../../features/fs/components/preview/preview-cover.tsx'
import { useNeighbours } from '../../../features/fs/components/preview/use-neighbours.ts'
import { usePlayback } from '../../../features/fs/components/preview/use-playback.ts'
import type { Entry } from '../../../features/fs/models/entries.ts'
import { nameOfPath } from '../../../features/fs/models/fs-paths.ts'
import { findFileKind } from '../../../domains/preview/kinds/file-kind.ts'
import type { PreviewSource } from '../../../domains/preview/preview-source.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { ListFailure } from './bundle-body.tsx'

interface BundlePreviewProps {
  bundle: ShownBundle
  /** Path of the file below the open folder. */
  name: string
  onClose: () => void
  onTicketEnded: () => void
}

/** Returns the source of a file's bytes. @param path in the notation of the API */
export function sourceOf(opened: ShownFiles, path: string, sizeBytes: number): PreviewSource {
  if (opened.decrypted) return opened.decrypted.previewOf(path)
  const url = fileUrl(opened, path)
  return { name: nameOfPath(path), sizeBytes, url, textUrl: url, downloadUrl: downloadUrl(opened, path) }
}

/**
 * Finds related files in the folder of a file, such as subtitles and segments of a stream.
 * @param all the entries of the folder; empty if they are not known
 */
function folderOf(opened: ShownFiles, folder: string, all: readonly Entry[]): PreviewSource['folder'] {
  return {
    names: all.filter(({ isFolder }) => !isFolder).map(({ name }) => name),
    find: (below) => {
      const isBelow = !/(?:^|\/)\.{0,2}(?:\/|$)/.test(below) && !below.startsWith('/')
      return isBelow ? { textUrl: fileUrl(opened, itemPathOf(`${folder}${below}`)) } : null
    },
  }
}

/** Shows a file above the list of its folder. Keys and swipes open the previous or next file. */
export function BundlePreview({ bundle, name, onClose, onTicketEnded }: BundlePreviewProps) {
  const { t } = useT()
  const { path: folder, all } = useFolderScreen()
  const neighbours = useNeighbours(name, false)
  const { path, entry, index, count, after, playOn } = neighbours
  const playing = usePlayback(playOn)
  const size = useQuery(presentSizeQuery(bundle, itemPathOf(path)))
  usePrefetch(bundle, after)
  const isEnded = hasCode(size.error, 'bundle.ticket_invalid')
  const tell = useEffectEvent(onTicketEnded)
  useEffect(() => {
    if (isEnded) tell()
  }, [isEnded])
  const source = useMemo(() => {
    if (size.data === undefined) return null
    const shown = sourceOf(bundle, itemPathOf(path), size.data)
    if (bundle.decrypted) return shown
    const ownFolder = path.slice(0, path.lastIndexOf('/') + 1)
    // A search also finds files in folders below the open one.
    const related = folderOf(bundle, ownFolder, ownFolder === folder ? all : [])
    return { ...shown, ...(related && { folder: related }) }
  }, [bundle, folder, all, path, size.data])
  const shownName = nameOfPath(path)
  return (
    <PreviewCover
      name={shownName}
      neighbours={neighbours}
      onClose={onClose}
      bar={
        <PreviewBar
          name={shownName}
          entry={entry}
          isEditing={false}
          place={index === -1 ? null : { index, count }}
          onClose={onClose}
          onEdit={null}
        />
      }
    >
      {size.isError ? (
        <ListFailure error={size.error} onRetry={() => void size.refetch()} />
      ) : source ? (
        <ShownFile
          source={source}
          expected={findFileKind({ mimetype: '', filename: shownName })}
          playing={playing}
        />
      ) : (
        <SkeletonLines label={t('preview.loading')} />
      )}
    </PreviewCover>
  )
}

function usePrefetch(bundle: ShownBundle, after: Entry | undefined) {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (after) void queryClient.prefetchQuery(presentSizeQuery(bundle, itemPathOf(after.path)))
  }, [queryClient, bundle, after])
}
