import { FS_TEXT_MAX_LENGTH, type FsEntry } from '@dropleaf/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { hasCode } from '../../../../lib/api-error.ts'
import { type FileKind, findFileKind } from '../../../../domains/preview/kinds/file-kind.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { useShownKind } from '../../../../domains/preview/kinds/shown-kind.ts'
import { SkeletonLines } from '../../../../ui/feedback/skeleton.tsx'
import { fsQueries, invalidateListing } from '../../api/fs.queries.ts'
import type { Entry } from '../../models/entries.ts'
import { useFolderScreen } from '../explorer-context.ts'
import { PreviewBar } from './preview-bar.tsx'
import { PreviewBody, sourceOf } from './preview-body.tsx'
import { PreviewCover } from './preview-cover.tsx'
import { useNeighbours } from './use-neighbours.ts'
import { usePlayback } from './use-playback.ts'

const TextFileEditor = lazy(async () => {
  const { TextFileEditor: Editor } = await import('./text-file-editor.tsx')
  return { default: Editor }
})

interface PreviewProps {
  name: string
  onClose: () => void
}

/** Prefetches the details of the next file. */
function usePrefetch(folder: string, after: Entry | undefined) {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (after) void queryClient.prefetchQuery(fsQueries.entry(`${folder}${after.name}`, after.etag))
  }, [queryClient, folder, after])
}

/** Refreshes the listing when a listed file is missing, but only after the notice is closed. */
function useStaleListing(folder: string, isMissing: boolean) {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!isMissing) return undefined
    return () => void invalidateListing(queryClient, folder)
  }, [queryClient, folder, isMissing])
}

/** Shows a file above the list of its folder. Keys and swipes open the previous or next file. */
export function Preview({ name, onClose }: PreviewProps) {
  const { t } = useT()
  const [isEditing, setEditing] = useState(false)
  const neighbours = useNeighbours(name, isEditing)
  const { path, entry, index, count, after, playOn } = neighbours
  const [displayName, setShownName] = useState(name)
  if (displayName !== name) {
    setShownName(name)
    setEditing(false)
  }
  const playing = usePlayback(playOn)
  const info = useQuery(fsQueries.entry(path, entry?.etag ?? ''))
  const isMissing = hasCode(info.error, 'fs.not_found')
  const isEditable = useIsEditable(name, {
    file: info.data?.data,
    listedBytes: entry?.sizeBytes ?? null,
    isMissing,
  })
  const { path: folder, canWrite, address } = useFolderScreen()
  usePrefetch(folder, after)
  useStaleListing(folder, isMissing)
  return (
    <PreviewCover
      name={name}
      neighbours={neighbours}
      isOff={isEditing}
      onClose={onClose}
      bar={
        <PreviewBar
          name={name}
          entry={entry}
          isEditing={isEditing}
          place={index === -1 ? null : { index, count }}
          onClose={onClose}
          onEdit={canWrite && entry && isEditable ? () => setEditing(true) : null}
        />
      }
    >
      {isEditing ? (
        // The editor does not depend on the listing, because a change of the listing must not reset what the user is
        // typing.
        <Suspense fallback={<SkeletonLines label={t('common.loading')} />}>
          <TextFileEditor path={path} onEnd={() => setEditing(false)} />
        </Suspense>
      ) : (
        <PreviewBody
          info={info}
          playing={playing}
          onClose={onClose}
          onOpenFolder={() => address.openFolder(`${path}/`, { replace: true })}
        />
      )}
    </PreviewCover>
  )
}

const EDITABLE: ReadonlySet<FileKind> = new Set(['text', 'code', 'markdown', 'html'])

interface Editing {
  readonly file: FsEntry | undefined
  readonly listedBytes: number | null
  /** Whether the server no longer finds the file. */
  readonly isMissing: boolean
}

/**
 * Whether the editor can open the file. It opens only texts that can be saved without loss, up to
 * {@link FS_TEXT_MAX_LENGTH} bytes. For a deleted text, it shows the unsaved changes.
 */
function useIsEditable(name: string, { file, listedBytes, isMissing }: Editing): boolean {
  const kind = findFileKind({ mimetype: file?.contentType ?? '', filename: name })
  const shown = useShownKind(file ? sourceOf(file) : null, kind)
  if (!isMissing && !shown?.isExact) return false
  return EDITABLE.has(shown?.kind ?? kind) && (file?.size ?? listedBytes ?? 0) <= FS_TEXT_MAX_LENGTH
}
