import type { FsEntry } from '@dropleaf/contract'
import { fsFileRoutes } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { requestHeaders } from '../../../../domains/api/request-headers.ts'
import { routeUrl } from '../../../../domains/api/route-url.ts'
import { hasCode } from '../../../../lib/api-error.ts'
import { type FileKind, findFileKind } from '../../../../domains/preview/kinds/file-kind.ts'
import { errorText } from '../../../../i18n/error-text.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { FilePreview } from '../../../../domains/preview/file-preview.tsx'
import { useShownKind } from '../../../../domains/preview/kinds/shown-kind.ts'
import type { PreviewFolder, PreviewSource } from '../../../../domains/preview/preview-source.ts'
import type { Playing } from '../../../../domains/preview/providers.ts'
import { Banner } from '../../../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../../../ui/feedback/skeleton.tsx'
import type { Entry } from '../../models/entries.ts'
import { changeSettings, useSettings } from '../../models/settings.ts'
import { useFolderScreen } from '../explorer-context.ts'
import styles from './preview.module.css'

interface PreviewBodyProps {
  playing: Playing
  info: UseQueryResult<{ data: FsEntry }>
  onClose: () => void
  onOpenFolder: () => void
}

/**
 * Returns the source for the preview. The text URL in the source contains the ETag, so that changed text is loaded
 * again.
 */
export function sourceOf(file: FsEntry): PreviewSource | null {
  const { preview_url: url, path, name, size: sizeBytes, etag } = file
  if (!url) return null
  const textUrl = routeUrl(fsFileRoutes.download.path, { query: { path, v: etag } })
  return {
    name,
    sizeBytes,
    mimetype: file.contentType,
    url,
    textUrl,
    headers: requestHeaders(),
    ...(file.download_url && { downloadUrl: file.download_url }),
    findPublicUrl: () => Promise.resolve(new URL(url, location.href).href),
  }
}

/** The folder of the shown file. The preview finds related files in it, such as subtitles and segments of a stream. */
function folderOf(path: string, all: readonly Entry[]): PreviewFolder {
  return {
    names: all.filter(({ isFolder }) => !isFolder).map(({ name }) => name),
    find: (below) => {
      const isBelow = !/(?:^|\/)\.{0,2}(?:\/|$)/.test(below) && !below.startsWith('/')
      if (!isBelow) return null
      const query = { path: `${path}${below}` }
      return { textUrl: routeUrl(fsFileRoutes.download.path, { query }), headers: requestHeaders() }
    },
  }
}

export function PreviewBody({ info, playing, onClose, onOpenFolder }: PreviewBodyProps) {
  const { t } = useT()
  const { path, all } = useFolderScreen()
  const file = info.data?.data
  const source = useMemo(() => {
    const found = file && sourceOf(file)
    return found ? { ...found, folder: folderOf(path, all) } : null
  }, [file, path, all])
  const expected = findFileKind({ mimetype: file?.contentType ?? '', filename: file?.name ?? '' })
  if (info.isPending) return <SkeletonLines label={t('preview.loading')} />
  if (info.isError) {
    return (
      <Banner
        tone="error"
        actions={
          <>
            {hasCode(info.error, 'fs.not_found') && (
              <Button size="compact-sm" variant="default" onClick={onClose}>
                {t('explorer.preview.backToFolder')}
              </Button>
            )}
            <Button size="compact-sm" variant="default" onClick={() => void info.refetch()}>
              {t('common.retry')}
            </Button>
          </>
        }
      >
        {errorText(info.error)}
      </Banner>
    )
  }
  if (!source || !file) {
    return (
      <Banner
        tone="info"
        actions={
          <Button size="compact-sm" variant="default" onClick={onOpenFolder}>
            {t('explorer.preview.openFolder')}
          </Button>
        }
      >
        {t('explorer.preview.noFile')}
      </Banner>
    )
  }
  return <ShownFile source={source} expected={expected} playing={playing} />
}

interface ShownFileProps {
  source: PreviewSource
  expected: FileKind
  playing: Playing
}

/**
 * Shows a file in the full space of the cover. Below a player, adds the switch that plays the next file automatically.
 */
export function ShownFile({ source, expected, playing }: ShownFileProps) {
  const { t } = useT()
  const { playsOn } = useSettings()
  const kind = useShownKind(source, expected)?.kind ?? expected
  const isPlayed = [expected, kind].every((one) => one === 'audio' || one === 'video')
  if (!isPlayed) return <FilePreview source={source} kind={expected} isFull playing={playing} />
  return (
    <div className={styles.player}>
      <FilePreview source={source} kind={expected} isFull playing={playing} />
      <label className={styles.playsOn}>
        <input
          type="checkbox"
          role="switch"
          aria-checked={playsOn}
          checked={playsOn}
          onChange={(event) => changeSettings({ playsOn: event.currentTarget.checked })}
        />
        {t('explorer.preview.playsOn')}
      </label>
    </div>
  )
}
