import { paths } from '../../../app/paths.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { useSession } from '../../../lib/session.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import {
  CreatorCell,
  ExpiryCell,
  LockMark,
  TimeCell,
  ViewsCell,
} from '../../../ui/share-table/share-cells.tsx'
import type { ListedPaste } from '../api/manage-pastes.api.ts'
import { shareAddress } from '../share-address.ts'
import styles from './manage-pastes.module.css'

export function usePasteColumns(): readonly Column<ListedPaste>[] {
  const { t } = useT()
  const isAdmin = useSession().kind === 'admin'
  const columns: Column<ListedPaste>[] = [
    {
      id: 'link',
      header: t('shares.columns.link'),
      sort: 'slug',
      isTitle: true,
      cell: ({ slug, hasPassword }) => (
        <span className={styles.link}>
          <a href={paths.paste(slug)} target="_blank" rel="noopener">
            /{slug}
          </a>
          {hasPassword && <LockMark />}
          <CopyButton text={shareAddress(slug)} label={t('shares.actions.copyLink')} />
        </span>
      ),
    },
    {
      id: 'text',
      header: t('shares.columns.text'),
      cell: ({ remark, beginning }) => (
        <span className={styles.words}>
          {remark && <strong>{remark}</strong>}
          <span>{beginning}</span>
        </span>
      ),
    },
    {
      id: 'created',
      header: t('shares.columns.created'),
      sort: 'created',
      cell: ({ createdAt }) => <TimeCell instant={createdAt} />,
    },
    {
      id: 'expires',
      header: t('shares.columns.expires'),
      sort: 'expires',
      cell: ({ expiresAt }) => <ExpiryCell expiresAt={expiresAt} />,
    },
    {
      id: 'views',
      header: t('shares.columns.views'),
      sort: 'views',
      isNumber: true,
      isMinor: true,
      cell: ({ views, maxViews }) => <ViewsCell views={views} maxViews={maxViews} />,
    },
  ]
  if (isAdmin) {
    columns.push({
      id: 'creator',
      header: t('shares.columns.creator'),
      isMinor: true,
      cell: ({ createdBy, keyName }) => <CreatorCell createdBy={createdBy} keyName={keyName} />,
    })
  }
  return columns
}
