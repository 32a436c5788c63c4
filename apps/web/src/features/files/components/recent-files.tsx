import type { FileListItem } from '@dropleaf/contract'
import { IconFileSymlink, IconLink, IconLock, IconQrcode, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { formatBytes, formatDateTime, formatRelative } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { useCopy } from '../../../ui/buttons/copy-button.tsx'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { focusItem, useKeptFocus } from '../../../ui/focus/focus-restore.ts'
import { QrDialog } from '../../../ui/dialogs/qr-dialog.tsx'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { fileShareUrl } from '../../../domains/transfers/uploads/file-share-url.ts'
import { directUrl } from '../api/files.api.ts'
import { fileQueries } from '../api/files.queries.ts'
import { findFileKind } from '../../../domains/preview/kinds/file-kind.ts'
import { RecentBundle, ViewsLeft } from './recent-bundle.tsx'
import { DeleteFileDialog } from './delete-file-dialog.tsx'
import { FileIcon } from '../../../domains/preview/kinds/file-icon.tsx'
import styles from './recent-files.module.css'
import { useIsReported } from './storages-failed.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { hrefOf } from '../../../lib/browser/base-path.ts'

/**
 * Lists the newest uploads with their links. Shows nothing if loading failed and the page already reports the error.
 */
export function RecentFiles() {
  const { error } = useQuery(fileQueries.recent())
  return useIsReported(error) ? null : <RecentSection />
}

function RecentSection() {
  const { t } = useT()
  const section = useRef<HTMLElement>(null)
  useKeptFocus(section)
  return (
    <section ref={section} className={styles.section} aria-labelledby="recent-files" tabIndex={-1}>
      <h2 className={styles.title} id="recent-files">
        {t('files.recent.title')}
      </h2>
      <RecentList />
    </section>
  )
}

function RecentList() {
  const { t } = useT()
  const recent = useQuery(fileQueries.recent())
  if (recent.isPending) return <SkeletonLines label={t('common.loading')} widths={['80%', '80%', '80%']} />
  if (recent.isError) {
    return <FailedBanner error={recent.error} onRetry={() => void recent.refetch()} />
  }
  if (recent.data.length === 0) return <p className={styles.empty}>{t('files.recent.empty')}</p>
  return (
    <ul className={styles.list}>
      {recent.data.map((upload) =>
        upload.kind === 'file' ? (
          <RecentRow key={upload.file.id} file={upload.file} />
        ) : (
          <RecentBundle key={upload.bundle.id} bundle={upload.bundle} />
        ),
      )}
    </ul>
  )
}

function RecentRow({ file }: { file: FileListItem }) {
  const { t, language } = useT()
  const kind = findFileKind(file)
  return (
    <li className={styles.row} {...focusItem(file.id)}>
      <FileIcon kind={kind} size={24} />
      <div className={styles.main}>
        <a
          className={styles.name}
          href={hrefOf(paths.file(file.slug))}
          target="_blank"
          rel="noopener"
          title={t('files.recent.newTab')}
        >
          <DisplayName name={file.filename} />
        </a>
        {file.remark && <span className={styles.remark}>{file.remark}</span>}
        <span className={styles.meta}>
          <span>{formatBytes(file.size, language)}</span>
          <span>{t(`preview.kinds.${kind}`)}</span>
          <ViewsLeft share={file} />
          {file.has_password && (
            <span className={styles.chip}>
              <IconLock size={14} aria-hidden /> {t('files.passwordChip')}
            </span>
          )}
          <time dateTime={file.created_at} title={formatDateTime(file.created_at, language)}>
            {formatRelative(file.created_at, language)}
          </time>
        </span>
      </div>
      <RecentTools file={file} />
    </li>
  )
}

function RecentTools({ file }: { file: FileListItem }) {
  const { t } = useT()
  const { copy } = useCopy()
  const name = file.filename
  const [dialog, setDialog] = useState<'qr' | 'delete' | null>(null)
  const close = () => setDialog(null)
  const onDeleted = () => {
    close()
    notify('success', t('files.recent.deleted', { name }))
  }
  return (
    <div className={styles.tools}>
      <ToolButton
        label={t('files.copyLinkOf', { name })}
        icon={<IconLink size={20} aria-hidden />}
        onClick={() => void copy(fileShareUrl(file.slug), t('files.linkCopied'))}
      />
      {/* A direct link cannot ask for a password or for confirmation. */}
      {!file.has_password && file.opening === 'direct' && (
        <ToolButton
          label={t('files.recent.copyDirectOf', { name })}
          icon={<IconFileSymlink size={20} aria-hidden />}
          onClick={() => void copy(directUrl(file.slug), t('files.recent.directCopied'))}
        />
      )}
      <ToolButton
        label={t('files.qrCodeOf', { name })}
        icon={<IconQrcode size={20} aria-hidden />}
        onClick={() => setDialog('qr')}
      />
      <ToolButton
        label={t('files.recent.deleteOf', { name })}
        icon={<IconTrash size={20} aria-hidden />}
        isDangerous
        onClick={() => setDialog('delete')}
      />
      {dialog === 'qr' && <QrDialog url={fileShareUrl(file.slug)} onClose={close} />}
      {dialog === 'delete' && <DeleteFileDialog file={file} onDeleted={onDeleted} onClose={close} />}
    </div>
  )
}
