import type { FsEntry } from '@dropleaf/contract'
import { fsFileRoutes } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { requestHeaders, routeUrl } from '../../../lib/api-client.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { findFileKind } from '../../../lib/file-kind.ts'
import { errorText } from '../../../lib/i18n/error-text.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { FilePreview, type Playing } from '../../../ui/file-preview/file-preview.tsx'
import type { PreviewSource } from '../../../ui/file-preview/preview-source.ts'
import { Banner } from '../../../ui/message.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { changeSettings, useSettings } from '../models/settings.ts'
import styles from './preview.module.css'

interface PreviewBodyProps {
  playing: Playing
  info: UseQueryResult<{ data: FsEntry }>
  onClose: () => void
  onOpenFolder: () => void
}

/** The tag is in the address, so that text that has changed is read again. */
export function sourceOf(file: FsEntry): PreviewSource | null {
  const { preview_url: url, path, name, size: sizeBytes, etag } = file
  if (!url) return null
  const textUrl = routeUrl(fsFileRoutes.download.path, { query: { path, v: etag } })
  return { name, sizeBytes, url, textUrl, headers: requestHeaders() }
}

export function PreviewBody({ info, playing, onClose, onOpenFolder }: PreviewBodyProps) {
  const { t } = useT()
  const { playsOn } = useSettings()
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
  const file = info.data.data
  const source = sourceOf(file)
  if (!source) {
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
  const kind = findFileKind({ mimetype: file.contentType, filename: file.name })
  return (
    <>
      <FilePreview source={source} kind={kind} hasZoom playing={playing} />
      {kind === 'audio' && (
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
      )}
    </>
  )
}
