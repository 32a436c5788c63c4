import type { ReactNode } from 'react'
import { useState } from 'react'
import { useT } from '../../lib/i18n/use-translation.ts'
import type { FileKind } from '../../lib/file-kind.ts'
import { FileIcon } from './file-icon.tsx'
import styles from './file-preview.module.css'
import type { PreviewSource } from './preview-source.ts'
import { SkeletonLines } from '../skeleton.tsx'
import { useShownKind } from './text-query.ts'
import { TextPreview } from './text-preview.tsx'
import { ZoomPicture } from './zoom-picture.tsx'

/** For who plays one recording after the other. */
export interface Playing {
  /** Begins by itself. */
  readonly isStarted: boolean
  readonly onPlaying: (isPlaying: boolean) => void
  readonly onEnded: () => void
}

interface FilePreviewProps {
  source: PreviewSource
  kind: FileKind
  /** Fills the place with a picture, to be looked at closely. */
  hasZoom?: boolean
  playing?: Playing
}

/** Shows what a browser can show safely. Everything else says what it is. */
export function FilePreview({ source, kind: told, hasZoom = false, playing }: FilePreviewProps) {
  const { t } = useT()
  const kind = useShownKind(source, told)
  const { url, name } = source
  if (source.sizeBytes === 0) return <NoPreview kind={told}>{t('preview.empty')}</NoPreview>
  if (kind === null) return <SkeletonLines label={t('preview.loading')} />
  switch (kind) {
    case 'image':
      return <ImagePreview url={url} name={name} hasZoom={hasZoom} />
    case 'video':
    case 'audio':
      return <MediaPreview url={url} kind={kind} {...(playing && { playing })} />
    case 'pdf':
      return <PdfPreview url={url} name={name} />
    case 'markdown':
    case 'text':
    case 'code':
      return <TextPreview source={source} form={kind === 'markdown' ? 'markdown' : 'plain'} />
    case 'html':
      return <TextPreview source={source} form="html" />
    case 'document':
    case 'sheet':
    case 'slides':
    case 'archive':
    case 'font':
    case 'database':
    case 'program':
    case 'other':
      return <NoPreview kind={kind}>{t('preview.none')}</NoPreview>
    default:
      return kind satisfies never
  }
}

function NoPreview({ kind, children }: { kind: FileKind; children: ReactNode }) {
  return (
    <div className={styles.none}>
      <FileIcon kind={kind} size={40} />
      <p>{children}</p>
    </div>
  )
}

function ImagePreview({ url, name, hasZoom }: { url: string; name: string; hasZoom: boolean }) {
  const { t } = useT()
  const [hasFailed, setFailed] = useState(false)
  if (hasFailed) return <NoPreview kind="image">{t('preview.image')}</NoPreview>
  if (hasZoom) return <ZoomPicture url={url} name={name} onFailed={() => setFailed(true)} />
  return (
    <a className={styles.image} href={url} target="_blank" rel="noopener" title={t('preview.openInTab')}>
      <img src={url} alt={name} onError={() => setFailed(true)} />
    </a>
  )
}

interface MediaPreviewProps {
  url: string
  kind: 'video' | 'audio'
  playing?: Playing
}

function MediaPreview({ url, kind, playing }: MediaPreviewProps) {
  const { t } = useT()
  const [hasFailed, setFailed] = useState(false)
  if (hasFailed) return <NoPreview kind={kind}>{t('preview.media')}</NoPreview>
  const common = { src: url, controls: true, preload: 'metadata', onError: () => setFailed(true) } as const
  // A shared recording comes without captions.
  return kind === 'video' ? (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- as above
    <video className={styles.video} playsInline {...common} />
  ) : (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- as above
    <audio
      className={styles.audio}
      {...common}
      {...(playing && {
        autoPlay: playing.isStarted,
        onPlay: () => playing.onPlaying(true),
        // It stops at its end as well, and then goes on with the next.
        onPause: ({ currentTarget }) => playing.onPlaying(currentTarget.ended),
        onEnded: playing.onEnded,
      })}
    />
  )
}

function PdfPreview({ url, name }: { url: string; name: string }) {
  const { t } = useT()
  return (
    <div className={styles.pdf}>
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- browsers refuse their PDF viewer in a sandbox; the answer is typed as PDF and never sniffed */}
      <iframe src={url} title={name} />
      <p className={styles.note}>
        {t('preview.pdfPhone')}{' '}
        <a href={url} target="_blank" rel="noopener">
          {t('preview.openInTab')}
        </a>
      </p>
    </div>
  )
}
