import { useT } from '../../../i18n/use-translation.ts'
import { useSession } from '../../session/session.ts'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { type OpeningFacts, OpeningNews } from './opening-facts.tsx'
import { CreatorCell, ExpiryCell, TimeCell, ViewsCell } from './share-cells.tsx'

interface ShareFacts {
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly views: number
  readonly maxViews: number | null
  readonly createdBy: string | null
  readonly keyName: string | undefined
  readonly opening: OpeningFacts
}

/**
 * Returns the columns that all tables of shares have in common. `creators` is empty for users who see only their own
 * shares.
 */
export function useShareColumns<Share>(factsOf: (share: Share) => ShareFacts) {
  const { t } = useT()
  const isAdmin = useSession().kind === 'admin'
  const created: Column<Share> = {
    id: 'created',
    header: t('shares.columns.created'),
    sort: 'created',
    cell: (share) => <TimeCell instant={factsOf(share).createdAt} />,
  }
  const expires: Column<Share> = {
    id: 'expires',
    header: t('shares.columns.expires'),
    sort: 'expires',
    cell: (share) => <ExpiryCell expiresAt={factsOf(share).expiresAt} />,
  }
  const views: Column<Share> = {
    id: 'views',
    header: t('shares.columns.views'),
    sort: 'views',
    isNumber: true,
    isMinor: true,
    cell: (share) => {
      const { views: used, maxViews, opening } = factsOf(share)
      return (
        <div>
          <ViewsCell views={used} maxViews={maxViews} />
          <OpeningNews facts={opening} />
        </div>
      )
    },
  }
  const creator: Column<Share> = {
    id: 'creator',
    header: t('shares.columns.creator'),
    isMinor: true,
    cell: (share) => {
      const { createdBy, keyName } = factsOf(share)
      return <CreatorCell createdBy={createdBy} keyName={keyName} />
    },
  }
  return { created, expires, views, creators: isAdmin ? [creator] : [] }
}
