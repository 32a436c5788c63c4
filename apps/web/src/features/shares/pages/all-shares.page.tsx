import { type ListedShare, SHARE_KINDS, SHARE_SORTS } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useT } from '../../../i18n/use-translation.ts'
import { useShareTable } from '../../../domains/shares/share-list-search.ts'
import { FilterSelect } from '../../../domains/shares/table/share-filters.tsx'
import { ShareTable } from '../../../domains/shares/table/share-table.tsx'
import { PageMessage } from '../../../ui/feedback/message.tsx'
import { type DeletionOf, deleteShares } from '../api/delete-shares.ts'
import { shareQueries } from '../api/shares.queries.ts'
import { ShareActions } from '../components/share-actions.tsx'
import { nameOf } from '../components/share-link.ts'
import { useAllShareColumns } from '../components/use-all-share-columns.tsx'

interface AllSharesPageProps {
  /** Id of the share whose editor was closed last. */
  left: string | null
  deletionOf: DeletionOf
  onEdit: (share: ListedShare) => void
  onChanged: () => void
}

/** Lists texts, files and bundles in one table. Each kind has a separate editor. */
export function AllSharesPage({ left, deletionOf, onEdit, onChanged }: AllSharesPageProps) {
  const { t } = useT()
  const table = useShareTable(SHARE_SORTS)
  const { filters, sorting, pageSize, offset, search } = table
  const kind = SHARE_KINDS.find((known) => known === search.kind)
  const page = useQuery(shareQueries.page({ kind, filters, sorting, limit: pageSize, offset }))
  const columns = useAllShareColumns()
  return (
    <ShareTable
      words={{
        title: t('manage.modules.shares'),
        search: t('allShares.search'),
        deleteOne: t('allShares.deleteOne'),
        deleteMany: (count) => t('allShares.deleteMany', { count }),
        deleteText: (count) => t('allShares.deleteText', { count }),
      }}
      table={table}
      page={page}
      columns={columns}
      spokenName={nameOf}
      // The name is in Unicode isolates, so that a right-to-left name does not reorder the surrounding text.
      fullName={(share) => `\u2068${nameOf(share)}\u2069 · /${share.slug}`}
      renderActions={(share, onDelete) => (
        <ShareActions
          share={share}
          wasEdited={share.id === left}
          onEdit={() => onEdit(share)}
          onDelete={onDelete}
          onChanged={onChanged}
        />
      )}
      deleteRows={(shares) => deleteShares(shares, deletionOf)}
      onChanged={onChanged}
      filters={
        <FilterSelect
          label={t('allShares.kind.label')}
          all={t('allShares.kind.all')}
          value={search.kind}
          options={SHARE_KINDS.map((value) => ({ value, label: t(`allShares.kind.${value}`) }))}
          onChange={(value) => table.change({ kind: value })}
        />
      }
      empty={
        <PageMessage
          level={2}
          icon={<IconShare size={28} aria-hidden />}
          title={t('allShares.empty.title')}
          text={t('allShares.empty.text')}
        >
          <Button component={Link} to="/">
            {t('allShares.empty.action')}
          </Button>
        </PageMessage>
      }
    />
  )
}
