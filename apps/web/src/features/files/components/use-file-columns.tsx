import type { FileListItem } from '@dropleaf/contract'
import { paths } from '../../../lib/paths.ts'
import { findFileKind } from '../../../domains/preview/kinds/file-kind.ts'
import { formatBytes } from '../../../lib/format.ts'
import { displayName } from '../../../domains/storages/display-name.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { FileIcon } from '../../../domains/preview/kinds/file-icon.tsx'
import { openingFactsOf, OpeningMark } from '../../../domains/shares/table/opening-facts.tsx'
import { LockMark, NameCell } from '../../../domains/shares/table/share-cells.tsx'
import { useShareColumns } from '../../../domains/shares/table/use-share-columns.tsx'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import styles from './manage-files.module.css'
import { hrefOf } from '../../../lib/browser/base-path.ts'

const factsOf = (file: FileListItem) => ({
  createdAt: file.created_at,
  expiresAt: file.expires_at,
  views: file.views,
  maxViews: file.max_views,
  createdBy: file.created_by,
  keyName: file.key_name,
  opening: openingFactsOf(file),
})

export function useFileColumns(): readonly Column<FileListItem>[] {
  const { t, language } = useT()
  const { created, expires, views, creators } = useShareColumns(factsOf)
  return [
    {
      id: 'name',
      header: t('shares.columns.name'),
      sort: 'name',
      isTitle: true,
      cell: (file) => (
        <span className={styles.name}>
          <FileIcon kind={findFileKind(file)} size={24} />
          <span className={styles.words}>
            <a
              href={hrefOf(paths.file(file.slug))}
              target="_blank"
              rel="noopener"
              title={showInvisible(file.filename)}
            >
              <DisplayName name={file.filename} />
            </a>
            <span className={styles.more} title={file.remark ?? undefined}>
              /{file.slug} {file.has_password && <LockMark />} <OpeningMark facts={openingFactsOf(file)} />
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
    created,
    expires,
    views,
    {
      id: 'storage',
      header: t('shares.columns.storage'),
      isMinor: true,
      cell: ({ s3_config_name: name }) =>
        name === null ? <span className={styles.faint}>–</span> : <NameCell name={displayName(name)} />,
    },
    ...creators,
  ]
}
