import { paths } from '../../../lib/paths.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { OpeningMark } from '../../../domains/shares/table/opening-facts.tsx'
import { LockMark } from '../../../domains/shares/table/share-cells.tsx'
import { useShareColumns } from '../../../domains/shares/table/use-share-columns.tsx'
import type { ListedPaste } from '../api/manage-pastes.api.ts'
import { shareAddress } from '../../../domains/shares/share-address.ts'
import styles from './manage-pastes.module.css'
import { hrefOf } from '../../../lib/browser/base-path.ts'

export function usePasteColumns(): readonly Column<ListedPaste>[] {
  const { t } = useT()
  const { created, expires, views, creators } = useShareColumns((paste: ListedPaste) => paste)
  return [
    {
      id: 'link',
      header: t('shares.columns.link'),
      sort: 'slug',
      isTitle: true,
      cell: ({ slug, hasPassword, opening }) => (
        <span className={styles.link}>
          <a href={hrefOf(paths.paste(slug))} target="_blank" rel="noopener">
            /{slug}
          </a>
          {hasPassword && <LockMark />}
          <OpeningMark facts={opening} />
          <CopyButton text={shareAddress(slug)} label={t('shares.actions.copyLinkOf', { slug })} />
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
    created,
    expires,
    views,
    ...creators,
  ]
}
