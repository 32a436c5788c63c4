import type { ListedShare } from '@dropleaf/contract'
import { IconFileText, IconStack2 } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import { SealedMark } from '../../../domains/sealed/link/sealed-mark.tsx'
import { FileIcon } from '../../../domains/preview/kinds/file-icon.tsx'
import { findFileKind } from '../../../domains/preview/kinds/file-kind.ts'
import { openingFactsOf, OpeningMark } from '../../../domains/shares/table/opening-facts.tsx'
import { LockMark } from '../../../domains/shares/table/share-cells.tsx'
import { useShareColumns } from '../../../domains/shares/table/use-share-columns.tsx'
import { hrefOf } from '../../../lib/browser/base-path.ts'
import { formatBytes } from '../../../lib/format.ts'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { useLinked } from './use-linked.ts'
import styles from './shares.module.css'

const factsOf = (share: ListedShare) => ({
  createdAt: share.created_at,
  expiresAt: share.expires_at,
  views: share.views,
  maxViews: share.max_views,
  createdBy: share.created_by,
  keyName: share.key_name,
  opening: openingFactsOf(share),
})

function KindIcon({ share }: { share: ListedShare }) {
  if (share.kind === 'text') return <IconFileText size={24} aria-hidden />
  if (share.kind === 'bundle') return <IconStack2 size={24} aria-hidden />
  return <FileIcon kind={findFileKind({ filename: share.title ?? '', mimetype: '' })} size={24} />
}

function NameCell({ share }: { share: ListedShare }) {
  const { name, path } = useLinked(share)
  const more = share.remark === share.title ? null : share.remark
  return (
    <span className={styles.name}>
      <KindIcon share={share} />
      <span className={styles.words}>
        <a href={hrefOf(path)} target="_blank" rel="noopener" title={showInvisible(name)}>
          <DisplayName name={name} />
        </a>
        <span className={styles.more} title={more ?? undefined}>
          {share.title !== null && `/${share.slug} `}
          {share.sealed !== null && <SealedMark bundleId={share.id} />}
          {share.has_password && <LockMark />} <OpeningMark facts={openingFactsOf(share)} />
          {more && ` · ${more}`}
        </span>
      </span>
    </span>
  )
}

export function useAllShareColumns(): readonly Column<ListedShare>[] {
  const { t, language } = useT()
  const { created, expires, views, creators } = useShareColumns(factsOf)
  return [
    {
      id: 'name',
      header: t('allShares.name'),
      isTitle: true,
      cell: (share) => <NameCell share={share} />,
    },
    {
      id: 'kind',
      header: t('allShares.kind.label'),
      cell: ({ kind, item_count: count }) => (
        <span className={styles.kind}>
          {t(`allShares.kind.${kind}`)}
          {count !== null && count > 0 && (
            <span className={styles.more}>{t('allShares.items', { count })}</span>
          )}
        </span>
      ),
    },
    {
      id: 'size',
      header: t('shares.columns.size'),
      isNumber: true,
      isMinor: true,
      cell: ({ kind, size }) =>
        // A bundle that consists only of files of mounts stores nothing, so a dash is shown instead of its size.
        size === null || (kind === 'bundle' && size === 0) ? (
          <span className={styles.more}>–</span>
        ) : (
          formatBytes(size, language)
        ),
    },
    created,
    expires,
    views,
    ...creators,
  ]
}
