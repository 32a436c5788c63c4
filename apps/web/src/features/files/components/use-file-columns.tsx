import type { FileListItem } from '@dropleaf/contract'
import { paths } from '../../../app/paths.ts'
import { findFileKind } from '../../../lib/file-kind.ts'
import { formatBytes } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { useSession } from '../../../lib/session.ts'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { FileIcon } from '../../../ui/file-preview/file-icon.tsx'
import {
  CreatorCell,
  ExpiryCell,
  LockMark,
  TimeCell,
  ViewsCell,
} from '../../../ui/share-table/share-cells.tsx'
import styles from './manage-files.module.css'

export function useFileColumns(): readonly Column<FileListItem>[] {
  const { t, language } = useT()
  const isAdmin = useSession().kind === 'admin'
  const columns: Column<FileListItem>[] = [
    {
      id: 'name',
      header: t('shares.columns.name'),
      sort: 'name',
      isTitle: true,
      cell: (file) => (
        <span className={styles.name}>
          <FileIcon kind={findFileKind(file)} size={24} />
          <span className={styles.words}>
            <a href={paths.file(file.slug)} target="_blank" rel="noopener" title={file.filename}>
              {file.filename}
            </a>
            <span className={styles.faint}>
              /{file.slug} {file.has_password && <LockMark />}
              {file.remark && ` · ${file.remark}`}
            </span>
          </span>
        </span>
      ),
    },
    {
      id: 'size',
      header: t('shares.columns.size'),
      sort: 'size',
      isNumber: true,
      cell: ({ size }) => formatBytes(size, language),
    },
    {
      id: 'created',
      header: t('shares.columns.created'),
      sort: 'created',
      cell: ({ created_at: createdAt }) => <TimeCell instant={createdAt} />,
    },
    {
      id: 'expires',
      header: t('shares.columns.expires'),
      sort: 'expires',
      cell: ({ expires_at: expiresAt }) => <ExpiryCell expiresAt={expiresAt} />,
    },
    {
      id: 'views',
      header: t('shares.columns.views'),
      sort: 'views',
      isNumber: true,
      isMinor: true,
      cell: ({ views, max_views: maxViews }) => <ViewsCell views={views} maxViews={maxViews} />,
    },
    {
      id: 'storage',
      header: t('shares.columns.storage'),
      isMinor: true,
      cell: ({ s3_config_name: name }) => name ?? <span className={styles.faint}>–</span>,
    },
  ]
  if (isAdmin) {
    columns.push({
      id: 'creator',
      header: t('shares.columns.creator'),
      isMinor: true,
      cell: ({ created_by: createdBy, key_name: keyName }) => (
        <CreatorCell createdBy={createdBy} keyName={keyName} />
      ),
    })
  }
  return columns
}
