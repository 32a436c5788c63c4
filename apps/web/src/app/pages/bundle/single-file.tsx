import type { ShownBundle } from '../../../features/bundle-reading/sealed/shown-bundle.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { presentSizeQuery } from '../../../features/bundle-reading/api/bundle-files.ts'
import { downloadUrl } from '../../../domains/bundles/bundle-urls.ts'
import type { FileOfBundle } from '../../../features/bundle-reading/models/bundle-tree.ts'
import { FileFacts } from '../../../features/files/components/file-facts.tsx'
import { FileTools } from '../../../features/files/components/file-tools.tsx'
import styles from '../../../features/files/components/file-view.module.css'
import { nameOfPath } from '../../../features/fs/models/fs-paths.ts'
import { FilePreview } from '../../../domains/preview/file-preview.tsx'
import { FileIcon } from '../../../domains/preview/kinds/file-icon.tsx'
import { findFileKind } from '../../../domains/preview/kinds/file-kind.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { formatBytes } from '../../../lib/format.ts'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { goOnHere } from '../../../ui/focus/focus.ts'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { bundleAddress } from './bundle-head.tsx'
import { sourceOf } from './bundle-preview.tsx'
import { SealedBadge, SealedTools } from './sealed/sealed-tools.tsx'

interface SingleFileProps {
  bundle: ShownBundle
  file: FileOfBundle
  hasFocus: boolean
  onTicketEnded: () => void
}

/** Shows a bundle of a single file in the same way as a file share. */
export function SingleFile({ bundle, file, hasFocus, onTicketEnded }: SingleFileProps) {
  const { t, language } = useT()
  const name = nameOfPath(file.path)
  const kind = findFileKind({ mimetype: file.mimetype, filename: name })
  const size = useQuery(presentSizeQuery(bundle, file.path))
  const sizeBytes = size.data ?? file.size
  const isEnded = hasCode(size.error, 'bundle.ticket_invalid')
  const isGone = hasCode(size.error, 'bundle.item_gone')
  const tell = useEffectEvent(onTicketEnded)
  useEffect(() => {
    if (isEnded) tell()
  }, [isEnded])
  const source = useMemo(
    () => (size.data === undefined ? null : sourceOf(bundle, file.path, size.data)),
    [bundle, file, size.data],
  )
  const title = bundle.title ?? name
  usePageTitle(title)
  return (
    <article className={`${styles.page} dl-in-turn`} aria-label={showInvisible(title)}>
      <header className={styles.head}>
        <div className={styles.icon}>
          <FileIcon kind={kind} size={28} />
        </div>
        <div className={styles.title}>
          <h1 ref={hasFocus ? goOnHere : undefined} tabIndex={-1} className={styles.name}>
            <DisplayName name={title} />
          </h1>
          <p className={styles.kind}>
            {[
              bundle.title === null ? '' : showInvisible(name),
              t(`preview.kinds.${kind}`),
              sizeBytes === null ? '' : formatBytes(sizeBytes, language),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
      </header>
      {bundle.decrypted && <SealedBadge />}
      <FileTools
        name={name}
        link={bundleAddress(bundle)}
        downloadUrl={isGone || bundle.decrypted ? null : downloadUrl(bundle, file.path)}
        {...(source?.onDownload && { onDownload: source.onDownload })}
        owner={null}
        more={bundle.decrypted && <SealedTools bundle={bundle} decrypted={bundle.decrypted} />}
      />
      {size.isError && (
        <FailedBanner
          error={size.error}
          text={isGone ? t('bundle.goneText') : errorText(size.error)}
          onRetry={() => void size.refetch()}
        />
      )}
      {source && <FilePreview source={source} kind={kind} />}
      <FileFacts file={{ ...bundle, mimetype: file.mimetype }} />
    </article>
  )
}
